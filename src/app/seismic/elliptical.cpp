#include "app/seismic/elliptical.h"

#include <algorithm>

namespace muster::seismic {
namespace {

/// From 0 at the inner face of a layer to 1 where its damping begins; `cells` lie between the node and the outer side.
double share_at(std::int64_t cells, const LayerOptions& layers) {
  const double depth =
      std::clamp(static_cast<double>(layers.cells - cells) / static_cast<double>(layers.transition), 0.0, 1.0);
  return depth * depth * (3 - 2 * depth);
}

}  // namespace

Medium elliptical_in_layers(const Medium& medium, const Extent& node, const GridOptions& options) {
  if (options.layers.transition == 0) return medium;
  double share = 0;
  for (const Axis axis : kAxes) {
    const Sides& sides = options.sides[axis];
    if (sides.low == Boundary::cpml) share = std::max(share, share_at(node[axis], options.layers));
    if (sides.high == Boundary::cpml) {
      share = std::max(share, share_at(options.extent[axis] - 1 - node[axis], options.layers));
    }
  }
  Medium changed = medium;
  changed.delta += share * (medium.epsilon - medium.delta);
  return changed;
}

}  // namespace muster::seismic
