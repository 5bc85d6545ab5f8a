#include "collective/bound.h"

#include <gtest/gtest.h>

#include "collective/collective_test_support.h"

namespace muster {
namespace {

std::int64_t bound(const Request& request) { return lower_bounds(request).at(0).cycles.value(); }

TEST(Bound, IsTheVectorTheDistanceAndTwoRamps) {
  EXPECT_EQ(bound(reduce_request(512, 1, 256)), 256 + 511 + 4);
  EXPECT_EQ(bound(reduce_request(1, 9, 10, 4)), 10 + 4 + 4) << "a root in the middle is nearer";
  EXPECT_EQ(bound(broadcast_request(8, 4, 100)), 100 + 7 + 3 + 4);
  EXPECT_EQ(bound(reduce_request(512, 512, 8192)), 9218);
}

TEST(Bound, OfASingleProcessorIsTheCopy) { EXPECT_EQ(bound(reduce_request(1, 1, 10)), 10); }

TEST(Bound, DoesNotExceedThePaperFormulasWhereTheyAreExact) {
  for (std::int32_t p = 2; p <= 64; ++p) {
    for (const std::int64_t count : {1, 2, 17, 256}) {
      EXPECT_LE(bound(reduce_request(p, 1, count)), predicted("star", reduce_request(p, 1, count)));
      EXPECT_LE(bound(reduce_request(p, 1, count)), predicted("chain", reduce_request(p, 1, count)));
      EXPECT_LE(bound(broadcast_request(p, 1, count)), predicted("flood", broadcast_request(p, 1, count)));
    }
  }
}

TEST(Bound, IsNotClaimedWhereNoneIsProven) {
  Request request = reduce_request(4, 1, 8);
  request.collective = Collective::gather;
  EXPECT_TRUE(lower_bounds(request).empty());
}

}  // namespace
}  // namespace muster
