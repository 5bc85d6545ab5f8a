#include "app/seismic/differences.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace muster::seismic {
namespace {

constexpr PerAxis<double> kCube{1, 1, 1};

TEST(Differences, HaveTheWeightsOfTheTextbook) {
  const std::vector<double> staggered = staggered_weights(8);
  const std::vector<double> expected{1225.0 / 1024, -245.0 / 3072, 49.0 / 5120, -5.0 / 7168};
  const std::vector<double> central = central_weights(8);
  const std::vector<double> expected_central{8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  ASSERT_EQ(staggered.size(), 4U);
  for (std::size_t m = 0; m < 4; ++m) {
    EXPECT_NEAR(staggered[m], expected[m], 1e-15);
    EXPECT_NEAR(central[m], expected_central[m], 1e-15);
  }
}

TEST(Differences, DifferentiatePolynomialsOfTheirOrderExactly) {
  for (int order = kLeastOrder; order <= kMostOrder; order += 2) {
    const std::vector<double> staggered = staggered_weights(order);
    const std::vector<double> central = central_weights(order);
    for (int power = 1; power <= order; ++power) {
      double first = 0;
      double second = 0;
      for (std::size_t m = 1; m <= staggered.size(); ++m) {
        const double half = static_cast<double>(m) - 0.5;
        first += staggered[m - 1] * (std::pow(half, power) - std::pow(-half, power));
        second += central[m - 1] * (std::pow(m, power) + std::pow(-static_cast<double>(m), power));
      }
      const double scale = std::pow(order, power);  // of the terms that cancel
      EXPECT_NEAR(first, power == 1 ? 1 : 0, 1e-15 * scale + 1e-14) << order << " " << power;
      EXPECT_NEAR(second, power == 2 ? 2 : 0, 1e-15 * scale + 1e-14) << order << " " << power;
    }
  }
}

TEST(Differences, AllowTheTimeStepsOfTheLiterature) {
  EXPECT_NEAR(central_limit(central_weights(8), kCube), 0.4529, 5e-5);
  EXPECT_NEAR(staggered_limit(staggered_weights(2), kCube), 0.5774, 5e-5);
  EXPECT_NEAR(staggered_limit(staggered_weights(4), kCube), 0.4949, 5e-5);
  EXPECT_NEAR(staggered_limit(staggered_weights(8), kCube), 0.4488, 5e-5);
  EXPECT_NEAR(staggered_limit(staggered_weights(12), kCube), 0.4312, 5e-5);
  EXPECT_NEAR(staggered_limit(staggered_weights(16), kCube), 0.4213, 5e-5);
}

/// Cells per wavelength of the shortest waves down to which all have the right phase velocity.
template <class Dispersion>
double shortest(const Dispersion& dispersion, const std::vector<double>& weights) {
  double wave_number = 0.01;
  while (wave_number < std::numbers::pi && std::abs(dispersion(weights, wave_number)) <= kMostDispersion * 1.01) {
    wave_number += 1e-3;
  }
  return 2 * std::numbers::pi / wave_number;
}

TEST(Differences, OptimisedOnesCarryShorterWaves) {
  for (int order = 4; order <= kMostOrder; order += 2) {
    const std::vector<double> staggered = staggered_weights(order, Weights::dispersion);
    const std::vector<double> central = central_weights(order, Weights::dispersion);
    double first = 0;
    double second = 0;
    for (std::size_t m = 0; m < staggered.size(); ++m) {
      first += (2 * static_cast<double>(m) + 1) * staggered[m];
      second += std::pow(static_cast<double>(m + 1), 2) * central[m];
    }
    EXPECT_NEAR(first, 1, 1e-12) << order;
    EXPECT_NEAR(second, 1, 1e-12) << order;
    EXPECT_LT(shortest(staggered_dispersion, staggered),
              shortest(staggered_dispersion, staggered_weights(order)) / 1.45)
        << order;
    EXPECT_LT(shortest(central_dispersion, central), shortest(central_dispersion, central_weights(order)) / 1.45)
        << order;
  }
  EXPECT_NEAR(shortest(staggered_dispersion, staggered_weights(8, Weights::dispersion)), 3.08, 0.01);
  EXPECT_NEAR(shortest(central_dispersion, central_weights(8, Weights::dispersion)), 3.16, 0.01);
}

TEST(Differences, OfOrderTwoCannotBeOptimised) {
  EXPECT_EQ(staggered_weights(2, Weights::dispersion), staggered_weights(2));
  EXPECT_EQ(central_weights(2, Weights::dispersion), central_weights(2));
}

}  // namespace
}  // namespace muster::seismic
