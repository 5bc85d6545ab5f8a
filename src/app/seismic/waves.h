// Plane waves in a homogeneous medium: how fast they are, and whether absorbing layers can hold them.
#pragma once

#include "app/seismic/medium.h"

namespace muster::seismic {

struct Waves {
  double fastest = 0;  ///< phase velocity over all directions and kinds of waves, in m/s
  double slowest = 0;  ///< of those that travel at all
  /// The least ratio with which a multiaxial layer is stable; 0: a CPML is.
  ///
  /// A layer that damps the derivative along an axis by d, and those across by r d, lets a plane wave decay by
  /// d ((1 - r) q + r), where q is the product of phase slowness and group velocity along the axis, which is 1 summed over the
  /// axes. In some anisotropic media q is negative for some directions.
  double layer_ratio = 0;
};

/// Of a medium with this stiffness (in Pa) and density.
Waves waves_of(const Stiffness& stiffness, double density);

/// The stiffness that acoustic_tti has: a fluid's with a symmetry axis.
Stiffness acoustic_stiffness_of(const Medium& medium);

}  // namespace muster::seismic
