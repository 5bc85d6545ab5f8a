// Whether a schedule from elsewhere was made for a machine.
#include "plan/made_for.h"

#include "base/error.h"
#include "machine/routing.h"

namespace muster {

void require_made_for(const Schedule& schedule, const Machine& machine, const std::string& name) {
  const NodeId nodes = node_count(machine);
  if (!schedule.made_for.empty() && schedule.made_for != family_and_shape(machine)) {
    reject("{}: the schedule was made for {}, not for {} ({}); use that shape, or regenerate the schedule", name,
           schedule.made_for, family_and_shape(machine), machine.name);
  }
  if (schedule.node_count <= nodes) return;
  reject("{}: the schedule has {} nodes, but {} ({}) has {}; it was made for another machine or grid", name,
         schedule.node_count, machine.name, shape_text(machine), nodes);
}

}  // namespace muster
