#include <gtest/gtest.h>

#include "collective/collective_test_support.h"
#include "machine/mesh.h"

namespace muster {
namespace {

Cycles cost(Collective collective, const std::string& name, Request request) {
  request.collective = collective;
  return find_algorithm(collective, "mesh", name).cost(request, {});
}

/// What HPDC'24 says of the library's reduce, on one axis and on two.
TEST(Collectives2d, ReduceByAChainAlongEachAxis) {
  for (const std::int64_t count : {1, 30, 700}) {
    EXPECT_EQ(cost(Collective::reduce, "collectives-2d", reduce_request(9, 1, count)),
              cost(Collective::reduce, "chain", reduce_request(9, 1, count)));
    EXPECT_EQ(cost(Collective::reduce, "collectives-2d", reduce_request(9, 6, count)),
              cost(Collective::reduce, "xy-chain", reduce_request(9, 6, count)));
  }
}

/// A row's PEs hold the vector before they send it along their columns, so it is sent twice.
TEST(Collectives2d, BroadcastAlongARowAndThenAlongColumns) {
  const Cycles grid = cost(Collective::broadcast, "collectives-2d", reduce_request(9, 6, 100));
  const Cycles row = cost(Collective::broadcast, "flood", reduce_request(9, 1, 100));
  const Cycles column = cost(Collective::broadcast, "flood", reduce_request(1, 6, 100));
  EXPECT_EQ(grid, row + column);
  EXPECT_GT(grid, cost(Collective::broadcast, "flood", reduce_request(9, 6, 100)) + Cycles(100));
}

}  // namespace
}  // namespace muster
