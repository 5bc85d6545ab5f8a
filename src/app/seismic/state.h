// Everything that a time step reads and writes.
#pragma once

#include <cstdint>
#include <vector>

#include "app/seismic/equation/description.h"
#include "app/seismic/layers.h"
#include "app/seismic/memory.h"
#include "app/seismic/view.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// Memory of a derivative, in absorbing layers only.
template <class Real>
struct Memory {
  Array<Real> psi;   ///< of a first derivative
  Array<Real> zeta;  ///< of a second derivative, besides psi of the first one
};

template <class Real>
struct State {
  Layout layout;
  int radius = 0;                   ///< of the stencils
  PerAxis<AxisView<Real>> weights;  ///< of the differences only
  Layers<Real> layers;
  std::vector<Volume<Real>> fields;
  std::vector<Volume<Real>> before;      ///< of fields of second order in time; empty for others
  std::vector<Volume<Real>> parameters;  ///< with the time step
  PerAxis<Slab> slabs;
  std::vector<Memory<Real>> memory;  ///< one per item of the equation

  /// Valid until fields and `before` are exchanged.
  [[nodiscard]] View<Real> view();
};

extern template struct State<float>;
extern template struct State<double>;

}  // namespace muster::seismic
