// The medium at a node of the grid.
#pragma once

#include <array>

namespace muster::seismic {

/// Velocities in m/s, density in kg/m3, angles of the symmetry axis in radians: theta from the vertical, phi from x towards y.
/// Thomsen's parameters have no unit.
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

/// Stress = stiffness * strain, in Voigt's order xx, yy, zz, yz, xz, xy. In Pa; strains yz, xz and xy are twice the tensor's.
using Stiffness = std::array<std::array<double, 6>, 6>;

/// The symmetry axis as a unit vector.
std::array<double, 3> axis_of(const Medium& medium);

/// The stiffness over the density about the symmetry axis, from Thomsen's parameters; c13 is not a number where there is none.
struct Moduli {
  double c11 = 0;
  double c13 = 0;
  double c33 = 0;
  double c44 = 0;
  double c66 = 0;
};
Moduli moduli_of(const Medium& medium);

/// Of a medium that is transversely isotropic about its tilted axis.
Stiffness stiffness_of(const Medium& medium);

bool is_positive_definite(const Stiffness& stiffness);

/// A medium with what is expensive to derive from it.
struct Node : Medium {
  Stiffness stiffness{};  ///< only where an equation is anisotropic
};

}  // namespace muster::seismic
