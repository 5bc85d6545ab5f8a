// Which step takes a stream at each of its sinks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schedule/schedule.h"

namespace muster {

/// By slot of Schedule::sinks. Nothing if some stream is not taken by exactly one step of each sink, over its span; or,
/// rarely, if its sinks are many and not sorted. `node_of` has the node of each step; stream numbers and slices are in range.
std::optional<std::vector<StepId>> stream_consumers(const Schedule& flat, std::span<const NodeId> node_of);

}  // namespace muster
