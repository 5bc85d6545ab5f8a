// From the steps of switches to rows of registers: channels, collectives, ids, ports.
#include "backend/hyperx/lower.h"

#include <algorithm>
#include <numeric>

#include "backend/hyperx/collectives.h"
#include "base/index.h"
#include "machine/hyperx.h"
#include "machine/routing.h"

namespace muster::hyperx {
namespace {

class RowWriter {
 public:
  RowWriter(const Schedule& schedule, const Machine& machine, const Collectives& collectives)
      : schedule_(schedule), machine_(machine), collectives_(collectives), ports_(*as<HyperX>(machine)) {}

  Outcome<Registers> write() {
    const NodeId ranks = rank_count(machine_);
    const auto switches = muster::at(std::max(0, schedule_.node_count - ranks));
    registers_.rows.reserve(2 * switches);
    registers_.ports.reserve(6 * switches);
    for (NodeId at = ranks; at < schedule_.node_count; ++at) {
      const std::size_t first = registers_.rows.size();
      for (const Lane& lane : schedule_.lanes_of(at)) {
        for (StepId s = lane.first; s < lane.first + lane.count; ++s) add_step(at, s);
      }
      sort_rows(first);
      if (!refusal_.empty()) return Refusal{refusal_};
    }
    registers_.segments = collectives_.segments;
    return std::move(registers_);
  }

 private:
  void add_step(NodeId at, StepId s) {
    const Step& step = schedule_.steps[muster::at(s)];
    if (schedule_.spans.count(step.elements) == 0) return;
    std::vector<Port>& inputs = inputs_;
    std::vector<Port>& outputs = outputs_;
    inputs.clear();
    outputs.clear();
    for (const StreamId stream : schedule_.operands_of(step)) {
      inputs.push_back(port(at, schedule_.streams[muster::at(stream)].source));
    }
    for (const StreamId stream : schedule_.outputs_of(step)) {
      for (const NodeId sink : schedule_.sinks_of(schedule_.streams[muster::at(stream)])) {
        outputs.push_back(port(at, sink));
      }
    }
    std::sort(outputs.begin(), outputs.end());
    if (!std::is_sorted(inputs.begin(), inputs.end())) {
      refuse(at, "does not combine its inputs in port order");
    }
    if (std::adjacent_find(inputs.begin(), inputs.end()) != inputs.end() ||
        std::adjacent_find(outputs.begin(), outputs.end()) != outputs.end()) {
      refuse(at, "uses one port twice in one step");
    }
    const auto& [id, from, to] = collectives_.of_step[muster::at(s)];
    if (from == to) {
      add_row({.at = at, .id = id, .channel = from}, inputs, outputs);
      return;
    }
    const Port loop = ports_.loop();
    add_row({.at = at, .id = id, .channel = from}, inputs, {&loop, 1});
    add_row({.at = at, .id = id, .channel = to}, {&loop, 1}, outputs);
  }

  Port port(NodeId at, NodeId neighbour) { return neighbour == at ? ports_.loop() : ports_.towards(at, neighbour); }

  void add_row(Row row, std::span<const Port> inputs, std::span<const Port> outputs) {
    row.inputs = add_ports(inputs);
    row.outputs = add_ports(outputs);
    registers_.rows.push_back(row);
  }

  Slice add_ports(std::span<const Port> list) {
    const Slice slice{.first = static_cast<std::int32_t>(registers_.ports.size()),
                      .count = static_cast<std::int32_t>(list.size())};
    registers_.ports.insert(registers_.ports.end(), list.begin(), list.end());
    return slice;
  }

  void sort_rows(std::size_t first) {
    const auto begin = registers_.rows.begin() + static_cast<std::ptrdiff_t>(first);
    const auto key = [](const Row& r) { return std::pair(r.id, r.channel); };
    std::sort(begin, registers_.rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
    const auto twice =
        std::adjacent_find(begin, registers_.rows.end(), [&](const Row& a, const Row& b) { return key(a) == key(b); });
    if (twice != registers_.rows.end()) refuse(twice->at, "has two steps for one row of its registers");
  }

  void refuse(NodeId at, std::string_view why) {
    if (refusal_.empty()) refusal_ = fmt::format("the {} {}", node_text(machine_, at), why);
  }

  const Schedule& schedule_;
  const Machine& machine_;
  const Collectives& collectives_;
  Ports ports_;
  std::vector<Port> inputs_, outputs_;  ///< of the present step
  Registers registers_;
  std::string refusal_;
};

}  // namespace

Outcome<std::unique_ptr<HyperXProgram>> lower(const Schedule& schedule, const Machine& machine,
                                              const LowerOptions& options) {
  if (is_linear(schedule)) return Refusal{std::string(kLinearRefusal)};
  if (std::any_of(schedule.contracts.begin(), schedule.contracts.end(),
                  [](const Contract& c) { return is_partly_in_place(c); })) {
    return Refusal{"switches take all vectors of a reduce from one buffer, but the root holds its own in another"};
  }
  const Outcome<Collectives> collectives = find_collectives(schedule, machine);
  if (!collectives) return Refusal{collectives.reason()};
  Outcome<Registers> registers = RowWriter(schedule, machine, collectives.value()).write();
  if (!registers) return Refusal{registers.reason()};
  auto program = std::make_unique<HyperXProgram>();
  program->machine = machine;
  program->arithmetic = options.arithmetic;
  program->registers = std::move(registers).value();
  program->registers.op = options.arithmetic.op;
  program->registers.type = options.arithmetic.type;
  program->contracts = schedule.contracts;
  return program;
}

}  // namespace muster::hyperx
