// The kernels of the CPU: vectors of whatever width the processor has, and threads.
#pragma once

#include <memory>

#include "app/seismic/kernels.h"

namespace muster::seismic {

/// Null if this processor has no fused multiply-add of vectors: the reference's kernels give the same bits then. Each equation has a
/// translation unit of its own (equation_kernels.cpp.inc).
template <class Equation, class Real>
std::unique_ptr<Kernels<Real>> make_cpu_kernels_of(int threads);

}  // namespace muster::seismic
