// Schedule's members that need the complete Phase.
#include "schedule/schedule.h"

#include <tuple>

#include "schedule/phase.h"

namespace muster {

Schedule::Schedule() = default;
Schedule::Schedule(const Schedule&) = default;
Schedule::Schedule(Schedule&&) noexcept = default;
Schedule& Schedule::operator=(const Schedule&) = default;
Schedule& Schedule::operator=(Schedule&&) noexcept = default;
Schedule::~Schedule() = default;

// Written out: clang 14 crashes on a default one, as a schedule has schedules.
bool Schedule::operator==(const Schedule& other) const {
  const auto all = [](const Schedule& s) {
    return std::tie(s.made_for, s.node_count, s.extent, s.spans, s.contracts, s.streams, s.sinks, s.routes, s.steps,
                    s.operands, s.outputs, s.waits, s.lanes, s.first_lane, s.phases, s.parts, s.group_sets);
  };
  return all(*this) == all(other);
}

bool Schedule::is_flat() const { return phases.empty(); }

std::vector<NodeId> step_nodes(const Schedule& schedule) {
  std::vector<NodeId> nodes(schedule.steps.size());
  for (const Lane& lane : schedule.lanes) {
    for (StepId i = 0; i < lane.count; ++i) nodes[static_cast<std::size_t>(lane.first + i)] = lane.node;
  }
  return nodes;
}

}  // namespace muster
