// The layers of one axis, both sides together, as an array of their own.
#pragma once

#include <cstdint>

#include "app/seismic/volume.h"

namespace muster::seismic {

/// Cell x, y, z of the grid lies at first + x * stride.x + y * stride.y + z, and `high_shift` further if it is on the high side.
struct Slab {
  std::int64_t first = 0;
  Extent stride;
  std::int64_t high_shift = 0;
};

}  // namespace muster::seismic
