// Waves far from their source, and what layers send back: the figures of docs/seismic.md, on the grids of its benchmarks where those take seconds.
#include <gtest/gtest.h>

#include "app/seismic/far_field_test_support.h"
#include "app/seismic/reflection_test_support.h"

namespace muster::seismic {
namespace {

TEST(Accuracy, IsOnePercentAfterTenWavelengthsWithEightCellsEach) {
  if (kIsSanitized) GTEST_SKIP() << "takes minutes";
  const FarCase of{.propagator = "acoustic_iso_cd"};
  const FarSetup setup = setup_of(of);
  const Shot shot = read_shot(setup.text, "accuracy.toml");
  EXPECT_LT(far_error(of, shot, setup, 2), 0.01);
}

TEST(Accuracy, LayersReflectLessThanAThousandth) {
  if (kIsSanitized) GTEST_SKIP() << "takes minutes";
  EXPECT_LT(isotropic_reflection("acoustic_iso_cd", 45, 260), -60);
  EXPECT_LT(isotropic_reflection("acoustic_iso", 25, 200), -60);
}

}  // namespace
}  // namespace muster::seismic
