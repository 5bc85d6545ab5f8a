// The kernels of the CPU: vectors of whatever width the processor has, and threads.
#pragma once

#include <memory>
#include <string_view>

#include "app/seismic/kernels.h"

namespace muster::seismic {

/// Null if this processor has no fused multiply-add of vectors: the reference's kernels give the same bits then.
template <class Real>
std::unique_ptr<Kernels<Real>> make_cpu_kernels(std::string_view propagator, int threads);

}  // namespace muster::seismic
