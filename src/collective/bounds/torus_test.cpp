#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithms.h"
#include "collective/bounds/bound.h"
#include "collective/collective_test_support.h"
#include "collective/torus/torus_test_machines.h"

namespace muster {
namespace {

/// The bound of that name, or -1.
std::int64_t torus_bound(const std::string& name, Collective collective, const Machine& machine, std::int64_t count,
                         NodeId root = 0) {
  for (const Bound& bound :
       lower_bounds({.machine = machine, .collective = collective, .count = count, .root = root})) {
    if (bound.name == name) return bound.cycles.value();
  }
  return -1;
}

TEST(TorusBounds, OfThePortAreTwoFlitsPerCycle) {
  const Machine machine = test_wormhole(64);
  EXPECT_EQ(torus_bound("port", Collective::broadcast, machine, 6400), 400);
  EXPECT_EQ(torus_bound("port", Collective::reduce, machine, 6400), 400);
  EXPECT_EQ(torus_bound("port", Collective::allreduce, machine, 6400), 800 * 63 / 64);
  EXPECT_EQ(torus_bound("port", Collective::allgather, machine, 6400), 6300 / 16);
  EXPECT_EQ(torus_bound("port", Collective::reduce_scatter, machine, 6400), 6300 / 16);
  EXPECT_EQ(torus_bound("port", Collective::barrier, machine, 1), -1);
  EXPECT_EQ(torus_bound("port", Collective::allreduce, test_wormhole(1), 100), -1) << "a single tile";
}

TEST(TorusBounds, OfTheCutCountLinksOfBothNocs) {
  // Half of an 8x8 torus has 2 x 8 links into it, and 32 x 32 blocks of 100 words go there: 12.5 flits each.
  EXPECT_EQ(torus_bound("cut", Collective::all_to_all, test_ideal_torus(8), 6400), 32 * 32 * 100 * 4 / 32 / 16);
  // A single row: one of 8 tiles has 4 links, half of them 2 + 2 x 4.
  EXPECT_EQ(torus_bound("cut", Collective::broadcast, test_wormhole(8), 3200), 3200 * 4 / 32 / 4);
}

TEST(TorusBounds, OfTheDistanceTakeTheNearerWay) {
  const Machine row = test_wormhole(8);
  // From column 1 to column 6: 5 hops on both NoCs.
  EXPECT_EQ(torus_bound("distance", Collective::barrier, row, 1), 14 + 2 * 5 + 5 * 9);
  EXPECT_EQ(torus_bound("distance", Collective::broadcast, test_wormhole(2), 1), 14 + 2 * 5 + 9);
  EXPECT_EQ(torus_bound("distance", Collective::reduce_scatter, row, 1), 14 + 2 * 5 + 5 * 9) << "to rank 0 alone";
}

}  // namespace
}  // namespace muster
