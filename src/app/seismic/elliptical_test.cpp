#include "app/seismic/elliptical.h"

#include <gtest/gtest.h>

namespace muster::seismic {
namespace {

constexpr Medium kMedium{.vp = 3000, .epsilon = 0.3, .delta = 0.1};

GridOptions grid() {
  GridOptions options;
  options.extent = {40, 40, 40};
  options.layers.cells = 10;
  options.layers.transition = 5;
  options.sides.x = {Boundary::cpml, Boundary::zero};
  options.sides.y = options.sides.z = {Boundary::zero, Boundary::zero};
  return options;
}

TEST(Elliptical, MediaAreTheModelsOutsideLayers) {
  for (const std::int64_t x : {10, 20, 39}) EXPECT_EQ(elliptical_in_layers(kMedium, {x, 0, 0}, grid()), kMedium);
  GridOptions sudden = grid();
  sudden.layers.transition = 0;
  EXPECT_EQ(elliptical_in_layers(kMedium, {0, 0, 0}, sudden), kMedium);
}

TEST(Elliptical, MediaChangeStepByStep) {
  double before = kMedium.delta;
  for (std::int64_t x = 9; x > 5; --x) {
    const Medium changed = elliptical_in_layers(kMedium, {x, 20, 20}, grid());
    EXPECT_GT(changed.delta, before);
    EXPECT_LT(changed.delta, kMedium.epsilon);
    EXPECT_EQ(changed.epsilon, kMedium.epsilon);
    before = changed.delta;
  }
  for (const std::int64_t x : {5, 3, 0}) {
    EXPECT_DOUBLE_EQ(elliptical_in_layers(kMedium, {x, 20, 20}, grid()).delta, kMedium.epsilon);
  }
}

}  // namespace
}  // namespace muster::seismic
