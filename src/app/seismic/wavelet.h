// The time function of a source.
#pragma once

#include <vector>

namespace muster::seismic {

/// Ricker's wavelet (1 - 2 a) exp(-a), a = (pi f (t - delay))^2, whose peak is 1.
struct Ricker {
  double frequency = 0;  ///< of its spectrum's peak, in Hz
  double delay = 0;      ///< of its peak, in s

  [[nodiscard]] double at(double time) const;
  /// Its integral over time up to `time`.
  [[nodiscard]] double integral(double time) const;
};

/// A scaled Ricker wavelet, or samples, between which it has no frequencies above theirs.
struct Wavelet {
  Ricker ricker;
  double scale = 1;
  std::vector<double> samples;  ///< empty: the Ricker wavelet; zero before and behind them
  double interval = 0;          ///< between samples, in s
  double start = 0;             ///< of the first sample, in s
  double frequency = 0;         ///< that the grid must resolve, in Hz: the spectrum's peak, or Minimod's highest
  double highest = 0;           ///< above which there is next to nothing, in Hz

  [[nodiscard]] double at(double time) const;
};

/// `delay` of the peak.
Wavelet ricker_wavelet(double frequency, double delay);

/// Minimod's: the second derivative of exp(-8 (0.6 f t - 1)^2), f its highest frequency. `delay` of the peak is 1 / (0.6 f) there.
Wavelet minimod_wavelet(double highest, double delay);
constexpr double minimod_delay(double highest) { return 1 / (0.6 * highest); }

/// The frequency at which the spectrum of the samples peaks is found from them.
Wavelet sampled_wavelet(std::vector<double> samples, double interval, double start);

}  // namespace muster::seismic
