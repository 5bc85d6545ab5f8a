#include "app/stencil/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace muster::stencil {
namespace {

constexpr double kClock = 850e6;  // wse2.toml

/// Errors of the 13 runs that the model is not fitted to.
std::vector<double> other_errors(const CostModel& model) {
  std::vector<double> errors;
  for (std::size_t i = 1; i < kWeakScaling.size(); ++i) errors.push_back(error_of(model, kWeakScaling[i], kClock));
  for (std::size_t i = 1; i < kColumns.size(); ++i) errors.push_back(error_of(model, kColumns[i], kClock));
  return errors;
}

double largest(const std::vector<double>& errors) {
  double most = 0;
  for (const double error : errors) most = std::max(most, std::abs(error));
  return most;
}

TEST(StencilCost, FitsTheRunsThatItIsFittedTo) {
  for (const Overhead overhead : {Overhead::of_a_step, Overhead::of_a_block}) {
    const CostModel model = fitted(overhead, kWeakScaling[0], kColumns[0], kClock);
    EXPECT_NEAR(error_of(model, kWeakScaling[0], kClock), 0, 1e-12);
    EXPECT_NEAR(error_of(model, kColumns[0], kClock), 0, 1e-12);
  }
}

TEST(StencilCost, WithAnOverheadPerStepIsWithinTwoPercentOfThirteenOtherRuns) {
  const CostModel model = fitted(Overhead::of_a_step, kWeakScaling[0], kColumns[0], kClock);
  EXPECT_NEAR(model.cycles_per_cell, 62.68, 0.01);
  EXPECT_NEAR(model.cycles, 1073.8, 0.1);
  ASSERT_EQ(other_errors(model).size(), 13U);
  EXPECT_LT(largest(other_errors(model)), 0.02);
}

/// The measurements tell the two apart: one block of 400 cells takes as long as the first model says.
TEST(StencilCost, WithAnOverheadPerBlockIsOffByFivePercent) {
  const CostModel model = fitted(Overhead::of_a_block, kWeakScaling[0], kColumns[0], kClock);
  EXPECT_NEAR(model.cycles_per_cell, 59.61, 0.01);
  EXPECT_NEAR(model.cycles, 1380.6, 0.1);
  EXPECT_NEAR(largest(other_errors(model)), 0.05, 0.005);
}

/// Cells per second of Table III and its times agree; those of Table II are taken before its times are rounded.
TEST(Published, ThroughputsAndTimesAgree) {
  const auto deviation = [](const PublishedRun& run) {
    const auto cells = static_cast<double>(run.width * run.height * run.cells * run.steps);
    return std::abs(cells / run.seconds / run.cells_per_second - 1);
  };
  for (const PublishedRun& run : kColumns) EXPECT_LT(deviation(run), 1e-4) << run.cells;
  for (const PublishedRun& run : kWeakScaling) EXPECT_LT(deviation(run), 1e-3) << run.width << "x" << run.height;
}

}  // namespace
}  // namespace muster::stencil
