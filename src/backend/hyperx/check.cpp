// Checks every row, then every port.
#include "backend/hyperx/check.h"

#include <algorithm>
#include <tuple>

#include "machine/routing.h"

namespace muster::hyperx {
namespace {

Fault fault(std::string kind, std::string location, std::string message) {
  return {.kind = std::move(kind),
          .location = std::move(location),
          .cycle = Ticks(0),
          .message = std::move(message),
          .before_running = true};
}

/// The rows one by one, each next to the previous one.
class FormCheck {
 public:
  explicit FormCheck(const HyperXProgram& program)
      : program_(program), registers_(program.registers), ports_(program.network()) {}

  std::optional<Fault> run() const {
    for (std::size_t i = 0; i < registers_.rows.size(); ++i) {
      const Row& row = registers_.rows[i];
      if (auto found = own(row)) return found;
      if (i == 0) continue;
      const Row& before = registers_.rows[i - 1];
      if (key(before) >= key(row)) {
        return fault("order", text(row),
                     key(before) == key(row) ? "two rows for one switch, id and channel; keep one of them"
                                             : "rows must be sorted by switch, then id, then channel");
      }
      if (auto found = shared(before, row)) return found;
    }
    return std::nullopt;
  }

 private:
  static std::tuple<NodeId, std::int16_t, Channel> key(const Row& row) { return {row.at, row.id, row.channel}; }

  [[nodiscard]] std::string text(const Row& row) const { return row_text(program_.machine, row); }

  [[nodiscard]] std::optional<Fault> own(const Row& row) const {
    const NodeId ranks = rank_count(program_.machine);
    if (row.at < ranks || row.at >= 2 * ranks) {
      return fault("no switch", fmt::format("node {}", row.at),
                   fmt::format("is not a switch; use {} to {}", ranks, 2 * ranks - 1));
    }
    const auto ids = std::ssize(registers_.segments);
    if (row.id < 0 || row.id >= ids) {
      return fault("no segment", text(row), fmt::format("id {} has no segment; there are {}", row.id, ids));
    }
    if (auto found = own(row, row.inputs, "input")) return found;
    return own(row, row.outputs, "output");
  }

  [[nodiscard]] std::optional<Fault> own(const Row& row, Slice slice, const char* kind) const {
    if (slice.count < 1) return fault(fmt::format("no {}", kind), text(row), fmt::format("a row needs an {}", kind));
    if (slice.first < 0 || slice.first > std::ssize(registers_.ports) - slice.count) {
      return fault("no port", text(row), fmt::format("its {}s lie outside the list of ports", kind));
    }
    for (std::int32_t i = 0; i < slice.count; ++i) {
      const Port port = registers_.ports[at(slice.first + i)];
      if (port < 0 || port >= ports_.count() || (ports_.is_link(port) && !ports_.end(row.at, port))) {
        const bool is_known = port >= 0 && port < ports_.count();
        return fault("no link", text(row),
                     fmt::format("{} port {} is not connected at this switch", kind,
                                 is_known ? ports_.text(port) : fmt::format("{}", port)));
      }
      if (i > 0 && registers_.ports[at(slice.first + i - 1)] >= port) {
        return fault("order", text(row),
                     fmt::format("its {} ports must ascend, but {} does not", kind, ports_.text(port)));
      }
    }
    return std::nullopt;
  }

  /// What the two rows of a switch and id may not both use. (Each has a loop of its own.)
  [[nodiscard]] std::optional<Fault> shared(const Row& a, const Row& b) const {
    if (a.at != b.at || a.id != b.id) return std::nullopt;
    if (auto found = shared(b, registers_.inputs_of(a), registers_.inputs_of(b), "input")) return found;
    return shared(b, registers_.outputs_of(a), registers_.outputs_of(b), "output");
  }

  [[nodiscard]] std::optional<Fault> shared(const Row& row, std::span<const Port> a, std::span<const Port> b,
                                            const char* kind) const {
    for (const Port port : a) {
      if (port == ports_.loop() || !std::ranges::binary_search(b, port)) continue;
      return fault("shared link", fmt::format("{}, port {}", text(row), ports_.text(port)),
                   fmt::format("both rows of this id use it as an {}; assign it to one of them", kind));
    }
    return std::nullopt;
  }

  const HyperXProgram& program_;
  const Registers& registers_;
  Ports ports_;
};

/// Some rows that wait for each other, from one that is in no order: back along what is in no order either.
std::string cycle_text(const Wiring& wiring, const std::vector<bool>& is_ordered, std::int32_t row) {
  const Registers& registers = wiring.registers();
  std::vector<std::int32_t> path;
  while (std::ranges::find(path, row) == path.end()) {
    path.push_back(row);
    const Slice inputs = registers.rows[at(row)].inputs;
    for (std::int32_t i = inputs.first; i < inputs.first + inputs.count; ++i) {
      if (wiring.row(i) < 0 || is_ordered[at(wiring.row(i))]) continue;
      row = wiring.row(i);
      break;
    }
  }
  constexpr std::size_t kShown = 8;
  const auto first = static_cast<std::size_t>(std::ranges::find(path, row) - path.begin());
  std::string text;
  for (std::size_t i = first; i < path.size(); ++i) {
    if (i == first + kShown) return text + ", ...";
    text += fmt::format("{}{}", i == first ? "" : ", which waits for ", wiring.text(registers.rows[at(path[i])]));
  }
  return text;
}

}  // namespace

std::optional<Fault> check_form(const HyperXProgram& program) { return FormCheck(program).run(); }

std::optional<Fault> check_wiring(const Wiring& wiring, const RowOrder& order) {
  const Registers& registers = wiring.registers();
  for (const Row& row : registers.rows) {
    for (std::int32_t i = row.inputs.first; i < row.inputs.first + row.inputs.count; ++i) {
      if (wiring.row(i) != kUnconnected) continue;
      return fault("not fed", wiring.text(row, registers.ports[at(i)]),
                   "no row at the other end of this input sends to it");
    }
    for (std::int32_t i = row.outputs.first; i < row.outputs.first + row.outputs.count; ++i) {
      if (wiring.row(i) != kUnconnected) continue;
      return fault("not read", wiring.text(row, registers.ports[at(i)]),
                   "no row at the other end of this output receives it");
    }
  }
  if (order.rows.size() == registers.rows.size()) return std::nullopt;
  std::vector<bool> is_ordered(registers.rows.size(), false);
  for (const std::int32_t row : order.rows) is_ordered[at(row)] = true;
  const auto first = static_cast<std::int32_t>(std::ranges::find(is_ordered, false) - is_ordered.begin());
  return fault("wait cycle", wiring.text(registers.rows[at(first)]),
               "rows form a cycle of waits: " + cycle_text(wiring, is_ordered, first));
}

std::optional<Fault> check(const HyperXProgram& program) {
  if (auto found = check_form(program)) return found;
  const Wiring wiring(program);
  return check_wiring(wiring, order_of(wiring));
}

}  // namespace muster::hyperx
