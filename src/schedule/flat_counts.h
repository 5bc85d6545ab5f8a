// How large the flat schedule is that phases stand for, without writing it.
#pragma once

#include <cstdint>

#include "schedule/schedule.h"

namespace muster {

struct FlatCounts {
  std::int64_t streams = 0;
  std::int64_t steps = 0;
};

/// The streams and steps of expand(schedule), or the largest number where there are more. Phases that name no part or no
/// groups count for nothing.
FlatCounts flat_counts(const Schedule& schedule);

}  // namespace muster
