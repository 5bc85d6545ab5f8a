#include "base/saturating.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Saturating, IsExactAsLongAsTheNumberExists) {
  EXPECT_EQ(saturating_sum(kMostCounted - 3, 3), kMostCounted);
  EXPECT_EQ(saturating_sum(2, 3), 5);
  EXPECT_EQ(saturating_product(std::int64_t{1} << 31, std::int64_t{1} << 31), std::int64_t{1} << 62);
  EXPECT_EQ(saturating_product(kMostCounted, 0), 0);
}

TEST(Saturating, StopsAtTheLargestNumber) {
  EXPECT_EQ(saturating_sum(kMostCounted, 1), kMostCounted);
  EXPECT_EQ(saturating_product(std::int64_t{1} << 32, std::int64_t{1} << 31), kMostCounted);
}

}  // namespace
}  // namespace muster
