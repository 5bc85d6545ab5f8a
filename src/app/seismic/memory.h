// Where derivatives keep their memory: only in absorbing layers. The layers of one axis, both sides together, are a slab.
//
// A derivative of a CPML has memory in the slab of its own axis, which is as wide as the grid. A derivative of a multiaxial
// layer has memory in the slabs of all axes, which do not overlap: that of y lies between the layers of x, that of z between those of x and y.
#pragma once

#include <cstdint>

#include "app/seismic/axis.h"
#include "app/seismic/layers.h"
#include "app/seismic/slab.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// The slabs of all axes, and how many values a derivative's memory has.
struct MemoryLayout {
  PerAxis<Slab> slabs;
  PerAxis<std::int64_t> sizes;  ///< of a derivative along each axis

  MemoryLayout() = default;
  /// `halo`: cells of zeros along the slab's axis before and behind each layer.
  MemoryLayout(const Extent& extent, const PerAxis<Thickness>& layers, bool is_multiaxial, std::int64_t halo);
};

}  // namespace muster::seismic
