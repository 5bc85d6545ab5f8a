#include "app/seismic/media.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/seismic/waves.h"

namespace muster::seismic {
namespace {

TEST(Media, OfElasticPropagatorsNeedAPositiveDefiniteStiffness) {
  EXPECT_EQ(fault_of({.vp = 2000, .vs = 1700}, "elastic_iso").parameter, "");
  EXPECT_EQ(fault_of({.vp = 2000, .vs = 1740}, "elastic_iso").parameter, "vs");
  EXPECT_EQ(fault_of({.vp = 2000, .vs = 1740}, "acoustic_iso").parameter, "") << "which has no shear waves";
  EXPECT_EQ(fault_of({.vp = 3000, .vs = 1500, .epsilon = 0.2, .delta = 0.1}, "elastic_tti").parameter, "");
  // C13 grows with delta until C33 (C11 - C66) = C13^2.
  EXPECT_EQ(fault_of({.vp = 3000, .vs = 1500, .epsilon = 0, .delta = 0.6}, "elastic_tti").parameter, "delta");
  EXPECT_EQ(fault_of({.vp = 3000, .vs = 1500, .epsilon = 0, .delta = 0.6}, "elastic_iso").parameter, "");
}

TEST(Media, OfAcousticTtiNeedEpsilonAboveDelta) {
  EXPECT_EQ(fault_of({.vp = 3000, .epsilon = 0.1, .delta = 0.1}, "acoustic_tti").parameter, "");
  EXPECT_EQ(fault_of({.vp = 3000, .epsilon = 0.1, .delta = 0.11}, "acoustic_tti").parameter, "epsilon");
}

TEST(Media, MustBeFiniteAndPositive) {
  EXPECT_EQ(fault_of({.vp = 0}, "acoustic_iso").parameter, "vp");
  EXPECT_EQ(fault_of({.vp = std::nan("")}, "acoustic_iso").parameter, "vp");
  EXPECT_EQ(fault_of({.vp = 1, .rho = -1}, "acoustic_iso").parameter, "density");
  EXPECT_EQ(fault_of({.vp = 1, .theta = INFINITY}, "acoustic_iso").parameter, "theta");
}

TEST(Media, MustBeOfASizeThatNumbersHold) {
  EXPECT_EQ(fault_of({.vp = 3e38}, "acoustic_iso").parameter, "vp");
  EXPECT_EQ(fault_of({.vp = 1500, .rho = 1e-20}, "acoustic_iso").parameter, "density");
  EXPECT_EQ(fault_of({.vp = 1500, .rho = 1e20}, "acoustic_iso").parameter, "density");
  EXPECT_EQ(fault_of({.vp = 1500, .epsilon = 1e10}, "acoustic_tti").parameter, "epsilon");
  EXPECT_EQ(fault_of({.vp = 1e6, .rho = 1e9}, "acoustic_iso").parameter, "");
}

TEST(Velocities, CountShearAndAnisotropyWhereThePropagatorSeesThem) {
  const Medium medium{.vp = 2000, .vs = 1000, .epsilon = 0.22, .delta = 0.1, .gamma = -0.18};
  VelocityRange acoustic;
  widen(acoustic, medium, "acoustic_iso");
  EXPECT_EQ(acoustic.fastest, 2000);
  EXPECT_EQ(acoustic.slowest, 2000);
  VelocityRange tilted;
  widen(tilted, medium, "acoustic_tti");
  EXPECT_DOUBLE_EQ(tilted.fastest, 2400);
  VelocityRange elastic;
  widen(elastic, medium, "elastic_tti");
  EXPECT_DOUBLE_EQ(elastic.slowest, 800);
}

/// Where epsilon is less than delta, waves at some angle to the axis are slower than along it and across.
TEST(Velocities, AreThoseOfPlaneWavesInAllDirections) {
  for (const double delta : {-0.1, 0.0, 0.2, 0.3}) {
    const Medium medium{.vp = 3000, .vs = 1400, .rho = 2200, .epsilon = 0.1, .delta = delta, .gamma = 0.05};
    ASSERT_EQ(fault_of(medium, "elastic_tti").parameter, "");
    VelocityRange range;
    widen(range, medium, "elastic_tti");
    const Waves waves = waves_of(stiffness_of(medium), medium.rho);
    EXPECT_NEAR(range.slowest, waves.slowest, 0.01 * waves.slowest) << delta;
    EXPECT_GE(range.fastest, waves.fastest * (1 - 1e-9)) << delta;
  }
}

}  // namespace
}  // namespace muster::seismic
