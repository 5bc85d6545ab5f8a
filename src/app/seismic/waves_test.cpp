#include "app/seismic/waves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace muster::seismic {
namespace {

TEST(Waves, OfAnIsotropicMediumNeedNoMultiaxialLayer) {
  const Waves waves = waves_of(stiffness_of({.vp = 3000, .vs = 1500, .rho = 2}), 2);
  EXPECT_NEAR(waves.fastest, 3000, 1e-6);
  EXPECT_NEAR(waves.slowest, 1500, 1e-6);
  EXPECT_EQ(waves.layer_ratio, 0);
}

TEST(Waves, AreFastestAcrossTheAxisOfShale) {
  const Medium shale{.vp = 3000, .vs = 1500, .rho = 2, .epsilon = 0.2, .delta = 0.1, .gamma = 0.15};
  EXPECT_NEAR(waves_of(stiffness_of(shale), 2).fastest, 3000 * std::sqrt(1.4), 1e-3);
  EXPECT_NEAR(waves_of(acoustic_stiffness_of(shale), 2).fastest, 3000 * std::sqrt(1.4), 1e-3);
}

/// Tilt alone makes group and phase velocity leave a layer on different sides.
TEST(Waves, NeedAMultiaxialLayerWhereTheAxisIsTilted) {
  Medium medium{.vp = 3000, .vs = 1500, .rho = 2, .epsilon = 0.25, .delta = 0.1, .gamma = 0.15};
  const Waves upright = waves_of(acoustic_stiffness_of(medium), 2);
  medium.theta = std::numbers::pi / 4;
  const Waves tilted = waves_of(acoustic_stiffness_of(medium), 2);
  EXPECT_GT(tilted.layer_ratio, upright.layer_ratio);
  EXPECT_LT(tilted.layer_ratio, 1);
  EXPECT_NEAR(tilted.fastest, upright.fastest, 3);
}

TEST(Stiffness, TurnsWithItsAxis) {
  Medium medium{.vp = 3000, .vs = 1500, .rho = 2, .epsilon = 0.2, .delta = 0.1, .gamma = 0.15};
  const Stiffness upright = stiffness_of(medium);
  medium.theta = std::numbers::pi / 2;
  const Stiffness lying = stiffness_of(medium);  // the axis is x now
  EXPECT_NEAR(lying[0][0], upright[2][2], 1e-3);
  EXPECT_NEAR(lying[2][2], upright[0][0], 1e-3);
  EXPECT_NEAR(lying[3][3], upright[5][5], 1e-3);
  EXPECT_NEAR(lying[1][2], upright[0][1], 1e-3);
  medium.phi = std::numbers::pi / 2;
  EXPECT_NEAR(stiffness_of(medium)[1][1], upright[2][2], 1e-3);  // and y now
}

TEST(Stiffness, IsPositiveDefiniteForRocksAndNotForNonsense) {
  EXPECT_TRUE(is_positive_definite(stiffness_of({.vp = 3000, .vs = 1500, .rho = 2, .epsilon = 0.2, .delta = 0.1})));
  EXPECT_FALSE(is_positive_definite(stiffness_of({.vp = 1500, .vs = 1400, .rho = 2})));
}

}  // namespace
}  // namespace muster::seismic
