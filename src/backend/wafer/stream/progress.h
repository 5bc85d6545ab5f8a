// What the phases of a program so far have come to: the state in which the next one begins.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/wafer/directions.h"
#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/stream/times.h"
#include "result/result.h"

namespace muster::wafer {

inline constexpr std::int64_t kNever = -1;

/// A cycle for each direction in which a router sends words on; of the ramp, for its processor.
using LinkCycles = std::array<std::int64_t, kDirections>;

constexpr LinkCycles all_links(std::int64_t cycle) {
  LinkCycles cycles{};
  cycles.fill(cycle);
  return cycles;
}

struct Progress {
  explicit Progress(std::size_t nodes)
      : ends(nodes, LaneEnd{.known = true}), quiet(nodes, all_links(kNever)), traffic(nodes), times(nodes) {}
  std::vector<LaneEnd> ends;  ///< of each processor
  /// Of each router: the last cycle in which a word went that way; of the ramp: in which the processor used one that came.
  std::vector<LinkCycles> quiet;
  std::vector<Traffic> traffic;
  std::vector<NodeTimes> times;
  std::int64_t hops = 0;
  std::int64_t effort = 0;
};

}  // namespace muster::wafer
