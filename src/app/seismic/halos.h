// What lies outside the grid: filled in before stencils read it.
#pragma once

#include <span>

#include "app/seismic/equation/description.h"
#include "app/seismic/layers.h"
#include "app/seismic/state.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// Fills the halo of a field along the axes in which it is read. Behind absorbing layers and sides of zeros it stays 0; behind
/// `neighbour` it is left to others.
///
/// A free surface and a rigid wall lie in the plane of the first or last node: the field continues as its own mirror image. Behind a
/// free surface stresses change their sign; behind a wall velocities do. The differences of stresses and those of velocities stay
/// each other's transpose, so that energy is kept.
template <class Real>
void fill_halo(Volume<Real>& field, const Field& description, const Read& read, const PerAxis<Sides>& sides);

/// In the plane of a mirror, sets to 0 what changes its sign there, of these fields. A normal stress is handed on to the others first
/// (Condensation). Comes after a phase has written the fields.
template <class Real>
void settle_mirrors(State<Real>& state, const Description& equation, std::span<const int> fields,
                    const PerAxis<Sides>& sides);

/// The transposes of both, for adjoint fields: what was copied is added, and what was overwritten becomes 0.
template <class Real>
void transpose_fill_halo(Volume<Real>& field, const Field& description, const Read& read, const PerAxis<Sides>& sides);
template <class Real>
void transpose_settle_mirrors(State<Real>& state, const Description& equation, std::span<const int> fields,
                              const PerAxis<Sides>& sides);

extern template void fill_halo(Volume<float>&, const Field&, const Read&, const PerAxis<Sides>&);
extern template void fill_halo(Volume<double>&, const Field&, const Read&, const PerAxis<Sides>&);
extern template void settle_mirrors(State<float>&, const Description&, std::span<const int>, const PerAxis<Sides>&);
extern template void settle_mirrors(State<double>&, const Description&, std::span<const int>, const PerAxis<Sides>&);
extern template void transpose_fill_halo(Volume<float>&, const Field&, const Read&, const PerAxis<Sides>&);
extern template void transpose_fill_halo(Volume<double>&, const Field&, const Read&, const PerAxis<Sides>&);
extern template void transpose_settle_mirrors(State<float>&, const Description&, std::span<const int>,
                                              const PerAxis<Sides>&);
extern template void transpose_settle_mirrors(State<double>&, const Description&, std::span<const int>,
                                              const PerAxis<Sides>&);

}  // namespace muster::seismic
