// Values on a regular grid, as files hold them: models and snapshots.
#pragma once

#include <string>
#include <vector>

#include "app/seismic/volume.h"

namespace muster::seismic {

struct Cube {
  std::string name;  ///< of what it holds: vp, p, ...; empty: the file does not say
  Extent extent;
  PerAxis<double> spacing;    ///< in metres; 0: the file does not say
  std::vector<float> values;  ///< x slowest, z (depth) fastest, without halo

  [[nodiscard]] float at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return values[static_cast<std::size_t>((x * extent.y + y) * extent.z + z)];
  }
};

/// A cube without its values.
struct CubeInfo {
  std::string name;
  Extent extent;
  PerAxis<double> spacing;
};

}  // namespace muster::seismic
