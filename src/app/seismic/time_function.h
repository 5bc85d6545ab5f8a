// How what a source adds in each step follows from its wavelet.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace muster::seismic {

/// In step n, of the wavelet's values w at the times of the steps:
enum class TimeFunction : unsigned char {
  value,         ///< w(n)
  product,       ///< w(n) times the time step
  sum,           ///< that, summed from step 0 on
  change,        ///< w(n + 1) - w(n)
  second_change  ///< by how much that changes from step to step
};

/// By step. `wavelet` gives the values w, from step -1 on.
std::vector<double> samples_of(TimeFunction function, const std::function<double(std::int64_t)>& wavelet,
                               std::int64_t steps, double time_step);

/// The transpose: from numbers by step to numbers for the wavelet's values at steps 0, ..., steps.
std::vector<double> transposed_samples(TimeFunction function, std::span<const double> samples, double time_step);

}  // namespace muster::seismic
