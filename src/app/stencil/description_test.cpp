#include "app/stencil/description.h"

#include <gtest/gtest.h>

#include <numeric>

#include "app/seismic/differences.h"
#include "base/rejection_test_support.h"

namespace muster::stencil {
namespace {

Description described(const std::string& grid, std::map<std::string, std::string> settings = {},
                      const std::string& order = "8") {
  return describe({.grid = grid, .order = order, .steps = {}, .settings = std::move(settings)});
}

TEST(Description, HasMinimodsDefaults) {
  const Description description = described("7x5x30");
  EXPECT_EQ(grid_text(description), "7x5x30");
  EXPECT_EQ(description.spacing, 20);
  EXPECT_EQ(description.cfl, 0.8);
  EXPECT_NEAR(description.velocity * largest_time_step(description) / description.spacing, 0.4529, 1e-4);
  EXPECT_NEAR(description.time_step, 0.8 * largest_time_step(description), 1e-15);
}

TEST(Description, InTwoDimensionsMayTakeLongerSteps) {
  const Description flat = described("7x5x1");
  const Description deep = described("7x5x2");
  EXPECT_NEAR(largest_time_step(flat) / largest_time_step(deep), std::sqrt(1.5), 1e-12);
  EXPECT_TRUE(time_step_of(flat, 1).weights.z.empty());
}

/// A constant field stays as it is: the coefficients of a Laplacian add up to zero, and those of the time to one.
TEST(Description, CoefficientsAddUpToTwo) {
  for (const char* const order : {"2", "4", "6", "8"}) {
    for (const char* const grid : {"9x9x9", "9x9x1"}) {
      const Weights weights = time_step_of(described(grid, {}, order), 1).weights;
      double sum = weights.centre;
      for (const auto* axis : {&weights.x, &weights.y, &weights.z}) {
        for (const float weight : *axis) sum += 2.0 * static_cast<double>(weight);
      }
      EXPECT_NEAR(sum, 2, 1e-6) << grid << " " << order;
    }
  }
}

TEST(Description, TimeStepOrCfl) {
  EXPECT_NEAR(described("3x3x3", {{"cfl", "0.5"}}).time_step, 0.5 * largest_time_step(described("3x3x3")), 1e-15);
  EXPECT_NEAR(described("3x3x3", {{"time_step", "0.001"}}).cfl, 0.001 / largest_time_step(described("3x3x3")), 1e-12);
}

TEST(Description, ThatIsWrongIsRefusedInOneLine) {
  EXPECT_EQ(rejection([] { described("7x5"); }),
            "--grid: '7x5' is not WxHxD; a stencil has cells along x, y and z, e.g. 755x994x1000");
  EXPECT_EQ(rejection([] { described("7x5x0"); }), "--grid: 0 is too small; use at least 1");
  EXPECT_EQ(rejection([] { described("7x5x5", {}, "5"); }), "--order: 5 is odd; use 4 or 6");
  EXPECT_EQ(rejection([] { described("7x5x5", {}, "10"); }), "--order: 10 is too large; use at most 8");
  EXPECT_EQ(rejection([] {
              described("7x5x5", {{"cfl", "1.25"}});
            }),
            "--set cfl: 0.002516 s is 1.25 times the largest stable time step, 0.002013 s; use less");
  EXPECT_EQ(rejection([] { check_memory(described("7x5x6000"), Bytes(49152)); }),
            "--grid: 6,000 cells along z do not fit into the 48 KiB of a PE; use at most 2,400");
  EXPECT_EQ(rejection([] {
              check_memory(described("7x5x1000", {{"block", "500"}}), Bytes(49152));
            }),
            "--set block: 500 cells do not fit beside the column into the 48 KiB of a PE; use at most 409");
}

}  // namespace
}  // namespace muster::stencil
