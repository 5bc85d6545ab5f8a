// Lanes that run one after another, as one lane: what phases that follow each other at every node are for machines that run one list
// of steps per node.
#pragma once

#include "schedule/schedule.h"

namespace muster {

/// The same schedule. Of each node, a lane whose first step waits for the last step of the lane before it continues that lane, and
/// no step waits for an earlier one of its own lane.
Schedule with_joined_lanes(Schedule flat);

/// expand() (phase.h) with joined lanes.
Schedule expand_in_lanes(const Schedule& schedule);

}  // namespace muster
