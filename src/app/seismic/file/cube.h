// Values on a regular grid, as files hold them: models and snapshots.
#pragma once

#include <string>
#include <vector>

#include "app/seismic/volume.h"

namespace muster::seismic {

struct Cube {
  std::string name;  ///< of what it holds: vp, p, ...
  Extent extent;
  PerAxis<double> spacing;    ///< in metres; 0: the file does not say
  std::vector<float> values;  ///< x slowest, z (depth) fastest, without halo
};

}  // namespace muster::seismic
