// What all parts along a dimension promise.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "schedule/builder.h"

namespace muster {

/// A builder for `size` members that hold `count` words each in `input`, alone.
inline ScheduleBuilder part_builder(std::int32_t size, std::int64_t count) {
  return ScheduleBuilder({.nodes = size, .count = count, .output = 0});
}

inline Schedule finish_part(ScheduleBuilder b, Collective collective, std::int32_t size, std::int64_t count) {
  std::vector<NodeId> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  b.contract({.collective = collective, .ranks = std::move(ranks), .count = count, .to = Buffer::input});
  return std::move(b).finish();
}

}  // namespace muster
