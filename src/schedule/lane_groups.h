// Which lanes of a flat schedule belong together.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/index.h"

namespace muster {

/// A number for each lane. Lanes that streams connect, as those of one group of a phase, have the same; of two groups on one
/// node, that of the earlier lane has the smaller one. Where there is no such order, all are 0.
std::vector<std::int32_t> lane_numbers(const Schedule& flat, const ScheduleIndex& index);

}  // namespace muster
