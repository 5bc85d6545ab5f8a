// Halos and mirrors in the memory of a GPU: what halos.h says of them.
#pragma once

#include <span>

#include "app/seismic/equation/description.h"
#include "app/seismic/layers.h"
#include "app/seismic/view.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// `field` points to the first cell of the grid.
void fill_halo_on_device(float* field, const Layout& layout, const Field& description, const Read& read,
                         const PerAxis<Sides>& sides);

void settle_mirrors_on_device(const View<float>& view, const Layout& layout, const Description& equation,
                              std::span<const int> fields, const PerAxis<Sides>& sides);

}  // namespace muster::seismic
