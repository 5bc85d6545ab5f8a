// The phases of a split reduce: which rows do the same side by side, and one order of everything with which the order of every PE agrees.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/grid/split_timetable.h"

namespace muster {

/// A job of several rows. Of a column: all rows of its side, the root's included.
struct SplitPhase {
  SplitJob::Kind kind = SplitJob::Kind::far;
  std::int32_t part = 0;
  std::int32_t side = 0;
  bool adds = false;               ///< a flow: its targets have a sum already
  std::vector<std::int32_t> rows;  ///< in the order of their numbers
};

std::vector<SplitPhase> split_phases(const SplitGrid& grid, const SplitTimetable& table);

}  // namespace muster
