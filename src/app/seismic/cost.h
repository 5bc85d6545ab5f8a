// What a time step of an equation has to do per cell, counted from the equation as it is written down: no cache is too small, so that
// every array of a phase is read or written once, and no value is computed twice.
#pragma once

#include <string_view>

#include "app/seismic/setup.h"

namespace muster::seismic {

/// Of one cell and one time step.
struct Cost {
  double operations = 0;  ///< sums, differences and products; fused ones count as two
  double bytes = 0;       ///< that are read and written

  [[nodiscard]] double intensity() const { return operations / bytes; }
};

/// Away from absorbing layers, for differences of this order. Throws InputError for an unknown propagator.
Cost cost_of(std::string_view propagator, int order, std::size_t bytes_of_real);

/// With what the derivatives' memory in the CPML or multiaxial layers of a grid takes, in the mean over all cells.
Cost cost_with_layers(std::string_view propagator, const GridOptions& grid, std::size_t bytes_of_real);

}  // namespace muster::seismic
