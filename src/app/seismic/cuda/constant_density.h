// acoustic_iso_cd with stencils of radius 4, at the speed of the memory.
#pragma once

#include <memory>

#include "app/seismic/kernels.h"

namespace muster::seismic {

/// Kernels that give the bits of `others`, and leave to those what they cannot do: other radii, layers of z wider than a tile.
std::unique_ptr<Kernels<float>> with_constant_density(std::unique_ptr<Kernels<float>> others);

}  // namespace muster::seismic
