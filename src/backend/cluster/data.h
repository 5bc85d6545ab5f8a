// What the NPUs compute, element by element.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/cluster/program.h"
#include "schedule/interpret.h"

namespace muster::cluster {

/// What every NPU holds at the end in its `to` buffer when the operations run one after another in the order given: each one
/// after those that it comes after. An all-to-all exchanges blocks in place.
Outputs compute_data(const ClusterProgram& program, const std::vector<std::int32_t>& order, std::uint64_t seed);

}  // namespace muster::cluster
