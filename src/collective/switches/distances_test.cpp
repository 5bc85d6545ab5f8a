#include "collective/switches/distances.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/index.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

/// By trying all links until nothing gets nearer.
std::vector<Ticks> plain_distances(const HyperX& hyperx, NodeId from) {
  const NodeId ranks = rank_count(hyperx);
  std::vector<Ticks> distance(at(ranks), kNoWay);
  distance[at(from - ranks)] = Ticks(0);
  for (bool changes = true; changes;) {
    changes = false;
    for (NodeId a = ranks; a < 2 * ranks; ++a) {
      const Ticks known = distance[at(a - ranks)];
      if (known == kNoWay) continue;
      for (const NodeId b : neighbours(hyperx, a)) {
        Ticks& other = distance[at(b - ranks)];
        const Ticks found = known + link_latency(hyperx, a, b);
        if (other != kNoWay && other <= found) continue;
        other = found;
        changes = true;
      }
    }
  }
  return distance;
}

RC_GTEST_PROP(Distances, AreTheShortestOverAllWholeLinks, ()) {
  Machine machine = any_small_hyperx();
  if (*rc::gen::arbitrary<bool>()) damage(machine);
  auto& hyperx = *as<HyperX>(machine);
  hyperx.core_latency = Seconds(static_cast<double>(*rc::gen::inRange(0, 60)) * 1e-9);
  hyperx.socket_latency = Seconds(static_cast<double>(*rc::gen::inRange(0, 60)) * 1e-9);
  hyperx.node_latency = Seconds(static_cast<double>(*rc::gen::inRange(0, 60)) * 1e-9);
  const NodeId from = *rc::gen::inRange(rank_count(hyperx), rank_count(hyperx) + switches_per_node(hyperx));
  RC_ASSERT(distances_from(hyperx, from) == plain_distances(hyperx, from));
}

TEST(Distances, AreShorterThanDefaultRoutesWhereTwoSocketsHaveOnePort) {
  // Sockets 0 and 8 meet at their cores 0, far from their cores 7; socket 7 is next to both of these.
  const Machine machine = test_hyperx({});
  const HyperX& hyperx = *as<HyperX>(machine);
  EXPECT_EQ(route_latency(hyperx, 128 + 7, 128 + 8 * 8 + 7), Ticks(20'000 + 25'000 + 20'000));
  EXPECT_EQ(distances_from(hyperx, 128 + 7)[8 * 8 + 7], Ticks(25'000 + 25'000));
}

}  // namespace
}  // namespace muster
