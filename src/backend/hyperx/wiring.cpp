// For every output, the row at the other end is searched; this also gives the sender of every input.
#include "backend/hyperx/wiring.h"

#include <algorithm>

#include "machine/routing.h"

namespace muster::hyperx {
namespace {

std::int32_t row_count(const Registers& registers) { return static_cast<std::int32_t>(registers.rows.size()); }

Channel other(Channel channel) { return channel == Channel::request ? Channel::response : Channel::request; }

}  // namespace

Wiring::Wiring(const HyperXProgram& program)
    : program_(program),
      ports_(program.network()),
      ranks_(rank_count(program.machine)),
      row_(program.registers.ports.size(), kUnconnected),
      peer_(program.registers.ports.size(), -1),
      memory_(program.registers.rows.size()) {
  find_switches();
  note_memory();
  for (std::int32_t row = 0; row < row_count(registers()); ++row) join(row);
}

void Wiring::find_switches() {
  first_.assign(at(ranks_) + 1, 0);
  for (const Row& row : registers().rows) ++first_[at(row.at - ranks_) + 1];
  for (std::size_t r = 0; r < at(ranks_); ++r) first_[r + 1] += first_[r];
}

/// Rows of one switch and id stand side by side.
void Wiring::note_memory() {
  const Registers& r = registers();
  const auto use = [&](const Row& row) {
    return MemoryUse{.reads = std::ranges::count(r.inputs_of(row), ports_.memory()) > 0,
                     .writes = std::ranges::count(r.outputs_of(row), ports_.memory()) > 0};
  };
  for (std::size_t i = 0; i < r.rows.size(); ++i) memory_[i] = use(r.rows[i]);
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    const bool is_pair = i + 1 < r.rows.size() && r.rows[i].at == r.rows[i + 1].at && r.rows[i].id == r.rows[i + 1].id;
    const MemoryUse behind = is_pair ? memory_[i + 1] : MemoryUse{};
    const bool shares = (memory_[i].reads || behind.reads) && (memory_[i].writes || behind.writes);
    memory_[i].shares = shares;
    if (is_pair) memory_[++i].shares = shares;
  }
}

std::span<const Row> Wiring::rows_of(NodeId at_switch) const {
  const auto r = at(at_switch - ranks_);
  return std::span(registers().rows).subspan(at(first_[r]), at(first_[r + 1] - first_[r]));
}

std::int32_t Wiring::find(NodeId at_switch, std::int16_t id, Channel channel) const {
  const auto rows = rows_of(at_switch);
  const auto key = [](const Row& row) { return std::pair(row.id, row.channel); };
  const auto found = std::ranges::lower_bound(rows, std::pair(id, channel), {}, key);
  if (found == rows.end() || key(*found) != std::pair(id, channel)) return kUnconnected;
  return first_[at(at_switch - ranks_)] + static_cast<std::int32_t>(found - rows.begin());
}

void Wiring::join(std::int32_t row) {
  const Row& from = registers().rows[at(row)];
  for (std::int32_t i = from.inputs.first; i < from.inputs.first + from.inputs.count; ++i) {
    if (registers().ports[at(i)] == ports_.memory()) row_[at(i)] = kMemory;
  }
  for (std::int32_t i = from.outputs.first; i < from.outputs.first + from.outputs.count; ++i) {
    join(from, i);
    if (peer_[at(i)] < 0) continue;
    row_[at(peer_[at(i)])] = row;
    peer_[at(peer_[at(i)])] = i;
  }
}

void Wiring::join(const Row& from, std::int32_t port_index) {
  const Port port = registers().ports[at(port_index)];
  if (port == ports_.memory()) {
    row_[at(port_index)] = kMemory;
    return;
  }
  const bool is_loop = port == ports_.loop();
  const PortEnd end = is_loop ? PortEnd{.at = from.at, .port = port} : ports_.end(from.at, port).value();
  const std::int32_t to = find(end.at, from.id, is_loop ? other(from.channel) : from.channel);
  if (to == kUnconnected) return;
  const Row& row = registers().rows[at(to)];
  const auto inputs = registers().inputs_of(row);
  const auto found = std::ranges::lower_bound(inputs, end.port);
  if (found == inputs.end() || *found != end.port) return;
  row_[at(port_index)] = to;
  peer_[at(port_index)] = row.inputs.first + static_cast<std::int32_t>(found - inputs.begin());
}

std::string Wiring::text(const Row& row) const { return row_text(program_.machine, row); }

std::string Wiring::text(const Row& row, Port port) const {
  return fmt::format("{}, port {}", text(row), ports_.text(port));
}

namespace {

/// Each after those that feed it. A row follows at once when all that feed it are there, so that neighbours stay together.
std::vector<std::int32_t> along_data(const Wiring& wiring) {
  const Registers& registers = wiring.registers();
  const std::int32_t count = row_count(registers);
  std::vector<std::int32_t> missing(at(count), 0), found, ready;
  for (std::int32_t row = 0; row < count; ++row) {
    const Slice inputs = registers.rows[at(row)].inputs;
    for (std::int32_t i = inputs.first; i < inputs.first + inputs.count; ++i) {
      missing[at(row)] += wiring.row(i) >= 0 ? 1 : 0;
    }
  }
  constexpr std::int32_t kFound = -1;
  found.reserve(at(count));
  for (std::int32_t start = 0; start < count; ++start) {
    if (missing[at(start)] == 0) ready.push_back(start);
    while (!ready.empty()) {
      const std::int32_t row = ready.back();
      ready.pop_back();
      missing[at(row)] = kFound;
      found.push_back(row);
      const Slice outputs = registers.rows[at(row)].outputs;
      for (std::int32_t i = outputs.first; i < outputs.first + outputs.count; ++i) {
        const std::int32_t to = wiring.row(i);
        if (to >= 0 && --missing[at(to)] == 0) ready.push_back(to);
      }
    }
  }
  return found;
}

}  // namespace

RowOrder order_of(const Wiring& wiring) {
  const Registers& registers = wiring.registers();
  std::vector<std::int32_t> found = along_data(wiring);
  RowOrder order;
  order.first.assign(registers.segments.size() + 1, 0);
  for (const std::int32_t row : found) ++order.first[at(registers.rows[at(row)].id) + 1];
  for (std::size_t id = 0; id < registers.segments.size(); ++id) order.first[id + 1] += order.first[id];
  order.rows.resize(found.size());
  std::vector<std::int32_t> next(order.first.begin(), order.first.end() - 1);
  for (const std::int32_t row : found) order.rows[at(next[at(registers.rows[at(row)].id)]++)] = row;
  return order;
}

}  // namespace muster::hyperx
