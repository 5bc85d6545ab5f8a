// How long a call of a collective took its nodes, by both definitions that are in use.
#pragma once

#include <optional>

#include "result/result.h"

namespace muster {

struct Spread {
  Ticks median;  ///< of an even number, the lower of both in the middle
  Ticks most;
};

struct RunTimes {
  Spread from_first_start;  ///< from when the first node began the call until a node had its result
  Spread from_own_start;    ///< from when that node itself began
};

/// Of call 0, 1, ... and the nodes that get a result; nothing if there are none, or if the simulator does not say when nodes begin.
std::optional<RunTimes> run_times(const Result& result, std::size_t call);

}  // namespace muster
