// The kernels of a GPU. Views hold addresses of its memory.
#pragma once

#include <memory>

#include "app/seismic/kernels.h"

namespace muster::seismic {

/// Each equation has a translation unit of its own (equation_kernels.cu.inc). Launches return at once; the device runs them in order.
template <class Equation>
std::unique_ptr<Kernels<float>> make_cuda_kernels_of();

}  // namespace muster::seismic
