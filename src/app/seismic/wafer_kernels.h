// acoustic_iso_cd in the arithmetic of a wafer (wafer_arithmetic.h), on a CPU.
#pragma once

#include <memory>

#include "app/seismic/kernels.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// For the whole grid, with sides that are zero or damping. Bits do not depend on the number of threads.
std::unique_ptr<Kernels<float>> make_wafer_kernels(const GridOptions& options, const Model& model, int threads);

}  // namespace muster::seismic
