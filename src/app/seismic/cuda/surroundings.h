// Halos and free surfaces in the memory of a GPU: what halos.h says of them.
#pragma once

#include "app/seismic/equation/description.h"
#include "app/seismic/layers.h"
#include "app/seismic/view.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

/// `field` points to the first cell of the grid.
void fill_halo_on_device(float* field, const Layout& layout, const Field& description, const Read& read,
                         const PerAxis<Sides>& sides);

void free_surfaces_on_device(const View<float>& view, const Layout& layout, const Description& equation,
                             const PhaseDescription& phase, const PerAxis<Sides>& sides);

}  // namespace muster::seismic
