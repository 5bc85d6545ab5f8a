// The part of pe.csl that starts the instructions of lanes.
#pragma once

#include <string>

#include "backend/wafer/csl/lanes.h"

namespace muster::wafer {

/// Descriptors, the places of a row's operands, and for each lane its instructions and its task.
std::string lane_tasks(const CslProgram& csl);

/// What the fabric's ends need in a comptime block.
std::string lane_fabric_ends(const CslProgram& csl);

}  // namespace muster::wafer
