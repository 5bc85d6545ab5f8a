// What the phases of a program so far have come to: the state in which the next one begins.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/stream/times.h"
#include "result/result.h"

namespace muster::wafer {

inline constexpr std::int64_t kNever = -1;

struct Progress {
  explicit Progress(std::size_t nodes)
      : ends(nodes, LaneEnd{.known = true}), quiet(nodes, kNever), traffic(nodes), times(nodes) {}
  std::vector<LaneEnd> ends;        ///< of each processor
  std::vector<std::int64_t> quiet;  ///< of each router: the last cycle in which something moved
  std::vector<Traffic> traffic;
  std::vector<NodeTimes> times;
  std::int64_t hops = 0;
  std::int64_t effort = 0;
};

}  // namespace muster::wafer
