#include "app/seismic/time_function.h"

namespace muster::seismic {

std::vector<double> samples_of(TimeFunction function, const std::function<double(std::int64_t)>& wavelet,
                               std::int64_t steps, double time_step) {
  std::vector<double> samples;
  samples.reserve(static_cast<std::size_t>(steps));
  double sum = 0;
  for (std::int64_t n = 0; n < steps; ++n) {
    switch (function) {
      case TimeFunction::value:
        samples.push_back(wavelet(n));
        break;
      case TimeFunction::product:
        samples.push_back(wavelet(n) * time_step);
        break;
      case TimeFunction::sum:
        sum += wavelet(n) * time_step;
        samples.push_back(sum);
        break;
      case TimeFunction::change:
        samples.push_back(wavelet(n + 1) - wavelet(n));
        break;
      case TimeFunction::second_change:
        samples.push_back(wavelet(n + 1) - wavelet(n) - (wavelet(n) - wavelet(n - 1)));
        break;
    }
  }
  return samples;
}

std::vector<double> transposed_samples(TimeFunction function, std::span<const double> samples, double time_step) {
  std::vector<double> values(samples.size() + 1);
  double sum = 0;
  for (std::size_t n = samples.size(); n-- > 0;) {
    const double sample = samples[n];
    switch (function) {
      case TimeFunction::value:
        values[n] = sample;
        break;
      case TimeFunction::product:
        values[n] = sample * time_step;
        break;
      case TimeFunction::sum:
        sum += sample;
        values[n] = sum * time_step;
        break;
      case TimeFunction::change:
        values[n + 1] += sample;
        values[n] -= sample;
        break;
      case TimeFunction::second_change:
        values[n + 1] += sample;
        values[n] -= 2 * sample;
        if (n > 0) values[n - 1] += sample;
        break;
    }
  }
  return values;
}

}  // namespace muster::seismic
