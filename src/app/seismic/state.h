// Everything that a time step reads and writes.
#pragma once

#include <cstdint>
#include <vector>

#include "app/seismic/equation/description.h"
#include "app/seismic/layers.h"
#include "app/seismic/view.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// Memory of a derivative along one axis, in the layers of that axis only. Along the axis, each layer has a halo of zeros on both
/// sides.
template <class Real>
struct Memory {
  Volume<Real> psi;   ///< of a first derivative
  Volume<Real> zeta;  ///< of a second derivative, besides psi of the first one
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
  std::vector<Memory<Real>> memory;      ///< one per derivative of the equation

  /// Valid until fields and `before` are exchanged.
  [[nodiscard]] View<Real> view(const Description& equation);
};

extern template struct State<float>;
extern template struct State<double>;

}  // namespace muster::seismic
