// The medium at a node of the grid.
#pragma once

namespace muster::seismic {

/// Velocities in m/s, density in kg/m3, angles of the symmetry axis in radians. Thomsen's parameters have no unit.
struct Medium {
  double vp = 0;
  double vs = 0;
  double rho = 1;
  double epsilon = 0;
  double delta = 0;
  double gamma = 0;
  double theta = 0;
  double phi = 0;

  constexpr bool operator==(const Medium&) const = default;
};

}  // namespace muster::seismic
