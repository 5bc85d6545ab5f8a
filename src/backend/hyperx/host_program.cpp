// Host-based schedules: what cores can run without reducing switches.
#include "backend/hyperx/host_program.h"

#include <algorithm>

#include "base/index.h"
#include "machine/hyperx.h"
#include "machine/routing.h"

namespace muster::hyperx {

std::string HostProgram::summary() const {
  return fmt::format("{} steps of {} cores, in rounds\n", schedule.steps.size(), rank_count(machine));
}

std::vector<int> HostProgram::channels_sent(NodeId /*node*/) const { return {}; }

ProgramFacts HostProgram::facts() const {
  ProgramFacts facts{.machine = machine, .arithmetic = arithmetic};
  for (NodeId rank = 0; rank < rank_count(machine); ++rank) facts.ranks.push_back(rank);
  facts.words = schedule.extent_of(Buffer::input);
  return facts;
}

bool is_for_hosts(const Schedule& schedule, const Machine& machine) {
  const NodeId ranks = rank_count(machine);
  return std::all_of(schedule.lanes.begin(), schedule.lanes.end(), [&](const Lane& lane) { return lane.node < ranks; });
}

Outcome<std::unique_ptr<HostProgram>> lower_for_hosts(const Schedule& schedule, const Machine& machine,
                                                      const LowerOptions& options) {
  if (!as<HyperX>(machine)->host) {
    return Refusal{fmt::format("{} has no [host] table with the cost of a round of messages", machine.name)};
  }
  const std::vector<NodeId> nodes = step_nodes(schedule);
  for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
    const Step& step = schedule.steps[s];
    const auto operands = schedule.operands_of(step);
    const auto taken = std::count_if(operands.begin(), operands.end(), [](StreamId id) { return id != kOwn; });
    if (taken > 1) {
      return Refusal{fmt::format("{} receives {} messages in one step; cores receive one at a time",
                                 node_text(machine, nodes[s]), taken)};
    }
    if (taken == 1 && step.outputs.count > 0 && !step.is_exchange()) {
      return Refusal{fmt::format("{} forwards elements while receiving them; cores send only what they have stored",
                                 node_text(machine, nodes[s]))};
    }
  }
  for (const Stream& stream : schedule.streams) {
    if (const std::size_t sinks = schedule.sinks_of(stream).size(); sinks != 1) {
      return Refusal{fmt::format("{} sends one message to {} cores; cores send to one at a time",
                                 node_text(machine, stream.source), sinks)};
    }
  }
  auto program = std::make_unique<HostProgram>();
  program->machine = machine;
  program->arithmetic = options.arithmetic;
  program->schedule = schedule;
  return program;
}

}  // namespace muster::hyperx
