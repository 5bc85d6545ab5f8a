// Queues and microthreads of lanes, which run side by side.
#pragma once

#include <optional>
#include <string>

#include "backend/wafer/csl/lanes.h"

namespace muster::wafer {

/// A queue and a microthread of its own for every color that is taken, and for every one that is sent; or why there are not enough.
std::optional<std::string> assign_lane_queues(CslProgram& csl, CslLanes& lanes);

}  // namespace muster::wafer
