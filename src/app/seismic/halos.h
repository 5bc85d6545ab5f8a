// What lies outside the grid: filled in before stencils read it.
#pragma once

#include "app/seismic/equation/equation.h"
#include "app/seismic/layers.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// Fills the halo of a field on all sides. Behind absorbing layers and sides of zeros it stays 0.
///
/// A free surface and a rigid wall lie in the plane of the first or last node: the field continues as its own mirror image,
/// with the same or the opposite sign. The wall keeps what moves through it at 0, and the free surface keeps the pressure, or the stress
/// that acts on it, at 0.
template <class Real>
void fill_halo(Volume<Real>& field, const Field& description, const PerAxis<Sides>& sides);

extern template void fill_halo(Volume<float>&, const Field&, const PerAxis<Sides>&);
extern template void fill_halo(Volume<double>&, const Field&, const PerAxis<Sides>&);

}  // namespace muster::seismic
