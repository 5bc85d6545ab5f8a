#include "app/seismic/wavelet.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muster::seismic {
namespace {

TEST(Wavelets, OfMinimodAreTheSecondDerivativeOfAGaussian) {
  constexpr double kHighest = 25;
  const Wavelet wavelet = minimod_wavelet(kHighest, minimod_delay(kHighest));
  const auto gaussian = [](double time) { return std::exp(-8 * std::pow(0.6 * kHighest * time - 1, 2)); };
  for (const double time : {0.03, 0.0667, 0.08, 0.1}) {
    constexpr double kApart = 1e-5;
    const double second = (gaussian(time + kApart) - 2 * gaussian(time) + gaussian(time - kApart)) / (kApart * kApart);
    EXPECT_NEAR(wavelet.at(time), second, 1e-3 * 3600) << time;
  }
}

TEST(Wavelets, FromSamplesHaveNoFrequenciesAboveTheirs) {
  const Wavelet exact = ricker_wavelet(20, 0.1);
  constexpr double kInterval = 0.006;  // up to 83 Hz, where a Ricker wavelet of 20 Hz has nothing left
  std::vector<double> samples;
  for (int i = 0; i < 40; ++i) samples.push_back(exact.at(0.004 + i * kInterval));
  const Wavelet sampled = sampled_wavelet(samples, kInterval, 0.004);
  for (double time = 0; time < 0.25; time += 0.0007) EXPECT_NEAR(sampled.at(time), exact.at(time), 1e-3) << time;
  EXPECT_NEAR(sampled.frequency, 20, 0.5);
}

}  // namespace
}  // namespace muster::seismic
