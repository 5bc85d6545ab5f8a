// What this machine can do at most, measured: the best of several trials.
#pragma once

#include <span>

namespace muster::seismic {

/// Operations per second with numbers of f32: fused products count as two.
double measure_operations(int threads);

/// Bytes per second of the memory: values <- values / 2 + others. Both have the same size, which should be that of many caches.
double measure_bandwidth(int threads, std::span<float> values, std::span<const float> others);

}  // namespace muster::seismic
