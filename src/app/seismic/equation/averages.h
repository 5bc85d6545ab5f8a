// Means of the medium over the nodes around a location. Density is averaged arithmetically and stiffness harmonically: so a layer boundary
// between the nodes refracts and reflects as it should.
#pragma once

#include <span>

#include "app/seismic/medium.h"

namespace muster::seismic {

/// The time step over the mean density.
inline double buoyancy(std::span<const Node* const> nodes, double time_step) {
  double sum = 0;
  for (const Node* node : nodes) sum += node->rho;
  return time_step * static_cast<double>(nodes.size()) / sum;
}

/// The time step times the harmonic mean of the shear modulus; 0 if one of the nodes is a fluid.
inline double shear_modulus(std::span<const Node* const> nodes, double time_step) {
  double sum = 0;
  for (const Node* node : nodes) {
    const double modulus = node->rho * node->vs * node->vs;
    if (modulus == 0) return 0;
    sum += 1 / modulus;
  }
  return time_step * static_cast<double>(nodes.size()) / sum;
}

}  // namespace muster::seismic
