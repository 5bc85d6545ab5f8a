#include "app/seismic/wavelet.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

namespace muster::seismic {
namespace {

constexpr double kHighestOverPeak = 2.5;  // a Ricker wavelet's spectrum is 3.3% of its peak there, and less beyond

/// A sinc under a Kaiser window.
double interpolate(const std::vector<double>& samples, double at) {
  constexpr std::int64_t kHalfWidth = 16;
  constexpr double kWindow = 9;
  const auto below = static_cast<std::int64_t>(std::floor(at));
  const auto count = static_cast<std::int64_t>(samples.size());
  double sum = 0;
  for (std::int64_t i = std::max<std::int64_t>(0, below - kHalfWidth + 1); i <= std::min(count - 1, below + kHalfWidth);
       ++i) {
    const double distance = at - static_cast<double>(i);
    const double sample = samples[static_cast<std::size_t>(i)];
    if (distance == 0) return sample;
    const double inside = 1 - distance * distance / (kHalfWidth * kHalfWidth);
    if (inside <= 0) continue;
    const double phase = std::numbers::pi * distance;
    sum += sample * std::sin(phase) / phase * std::cyl_bessel_i(0, kWindow * std::sqrt(inside)) /
           std::cyl_bessel_i(0, kWindow);
  }
  return sum;
}

/// Size of the samples' spectrum at a share of their sampling frequency.
double spectrum(const std::vector<double>& samples, double share) {
  const std::complex<double> turn = std::polar(1.0, -2 * std::numbers::pi * share);
  std::complex<double> sum = 0;
  for (const double sample : samples) sum = sum * turn + sample;  // from the end, which leaves the size as it is
  return std::abs(sum);
}

/// Where the spectrum peaks, in shares of the sampling frequency.
double peak_of(const std::vector<double>& samples) {
  constexpr int kTried = 1000;
  double best = 0;
  double share = 0;
  for (int i = 1; i <= kTried; ++i) {
    const double tried = 0.5 * i / kTried;
    const double size = spectrum(samples, tried);
    if (size <= best) continue;
    best = size;
    share = tried;
  }
  return share;
}

}  // namespace

double Ricker::at(double time) const {
  const double phase = std::numbers::pi * frequency * (time - delay);
  return (1 - 2 * phase * phase) * std::exp(-phase * phase);
}

double Ricker::integral(double time) const {
  const double phase = std::numbers::pi * frequency * (time - delay);
  return (time - delay) * std::exp(-phase * phase);
}

double Wavelet::at(double time) const {
  return samples.empty() ? scale * ricker.at(time) : scale * interpolate(samples, (time - start) / interval);
}

Wavelet ricker_wavelet(double frequency, double delay) {
  Wavelet wavelet;
  wavelet.ricker = {.frequency = frequency, .delay = delay};
  wavelet.frequency = frequency;
  wavelet.highest = kHighestOverPeak * frequency;
  return wavelet;
}

Wavelet minimod_wavelet(double highest, double delay) {
  constexpr double kSharpness = 8;
  const double rate = 0.6 * highest;
  // The second derivative of exp(-a), a = k (r t - 1)^2, is -2 k r^2 (1 - 2 a) exp(-a).
  Wavelet wavelet = ricker_wavelet(std::sqrt(kSharpness) * rate / std::numbers::pi, delay);
  wavelet.scale = -2 * kSharpness * rate * rate;
  wavelet.frequency = highest;
  return wavelet;
}

Wavelet sampled_wavelet(std::vector<double> samples, double interval, double start) {
  Wavelet wavelet;
  wavelet.frequency = peak_of(samples) / interval;
  wavelet.highest = std::min(kHighestOverPeak * wavelet.frequency, 0.5 / interval);
  wavelet.samples = std::move(samples);
  wavelet.interval = interval;
  wavelet.start = start;
  return wavelet;
}

}  // namespace muster::seismic
