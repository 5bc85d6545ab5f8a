// Schedule's members that need the complete Phase.
#include "schedule/schedule.h"

#include "schedule/phase.h"

namespace muster {

Schedule::Schedule() = default;
Schedule::Schedule(const Schedule&) = default;
Schedule::Schedule(Schedule&&) noexcept = default;
Schedule& Schedule::operator=(const Schedule&) = default;
Schedule& Schedule::operator=(Schedule&&) noexcept = default;
Schedule::~Schedule() = default;
bool Schedule::operator==(const Schedule& other) const = default;

bool Schedule::is_flat() const { return phases.empty(); }

std::vector<NodeId> step_nodes(const Schedule& schedule) {
  std::vector<NodeId> nodes(schedule.steps.size());
  for (const Lane& lane : schedule.lanes) {
    for (StepId i = 0; i < lane.count; ++i) nodes[static_cast<std::size_t>(lane.first + i)] = lane.node;
  }
  return nodes;
}

}  // namespace muster
