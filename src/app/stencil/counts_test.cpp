#include "app/stencil/counts.h"

#include <gtest/gtest.h>

namespace muster::stencil {
namespace {

TEST(StencilCounts, OfTheAlgorithmAreTheOperationsThatThePaperPerforms) {
  const Counts counts = counts_of(instructions_of(4), 334);
  EXPECT_EQ(counts.operations, 57) << "the paper's text: 57 performed, of which 51 are needed";
  EXPECT_EQ(needed_operations(4), 51);
  EXPECT_EQ(counts.cycles, 49) << "20 products, 20 sums, 8 fused, 1 difference";
  EXPECT_EQ(counts.received, 20);
  EXPECT_EQ(counts.sent, 4);
  EXPECT_NEAR(counts.accesses, 20 + 3 * 20 + 3 * 8 + 3 + 4 + 28.0 / 334, 1e-12);
}

TEST(StencilCounts, AsTabulatedLeaveOutOwnWords) {
  const Counts counts = counts_of(tabulated_instructions(4), 334);
  EXPECT_EQ(counts.operations, 51);
  EXPECT_EQ(counts.received, 17);
  EXPECT_NEAR(counts.accesses, 17 + 3 * 17 + 3 * 8 + 3 + 25.0 / 334, 1e-12) << "95 and the coefficients";
}

TEST(StencilCounts, AsDescribedAreTheTextsAccesses) {
  const Counts counts = counts_of(described_instructions(4), 334);
  EXPECT_EQ(counts.accesses, 112) << "the paper's text: 112 loads and stores, 17 words from the fabric";
  EXPECT_EQ(counts.received, 17);
  // Operations per byte: 0.11 and 0.75 in the paper.
  EXPECT_NEAR(static_cast<double>(needed_operations(4)) / (4 * counts.accesses), 0.114, 0.001);
  EXPECT_EQ(static_cast<double>(needed_operations(4)) / (4 * counts.received), 0.75);
}

TEST(StencilCounts, GrowWithTheRadius) {
  for (int radius = 1; radius <= 8; ++radius) {
    const Counts tabulated = counts_of(tabulated_instructions(radius), 10);
    EXPECT_EQ(tabulated.operations, needed_operations(radius)) << radius;
    EXPECT_EQ(counts_of(instructions_of(radius), 10).operations - tabulated.operations, 6) << "own words";
  }
}

}  // namespace
}  // namespace muster::stencil
