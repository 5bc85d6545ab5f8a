// The time function of a source.
#pragma once

namespace muster::seismic {

/// Ricker's wavelet (1 - 2 a) exp(-a), a = (pi f (t - delay))^2, whose peak is 1.
struct Ricker {
  double frequency = 0;  ///< of its spectrum's peak, in Hz
  double delay = 0;      ///< of its peak, in s

  [[nodiscard]] double at(double time) const;
  /// Its integral over time up to `time`.
  [[nodiscard]] double integral(double time) const;
};

}  // namespace muster::seismic
