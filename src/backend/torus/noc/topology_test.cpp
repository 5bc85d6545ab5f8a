#include "backend/torus/noc/topology.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "backend/torus/torus_test_support.h"

namespace muster::torus {
namespace {

TEST(Topology, RoutesAlongOneAxisAndThenTheOther) {
  const Torus torus = small_chip(10, 12);
  const Topology noc0(torus, 0), noc1(torus, 1);
  const RouterId a = noc0.at({.x = 9, .y = 1}), b = noc0.at({.x = 1, .y = 0});
  EXPECT_EQ(noc0.toward(a, b), to_x);
  EXPECT_EQ(noc0.hops(a, b), 2 + 11);
  EXPECT_EQ(noc1.toward(a, b), to_y);
  EXPECT_EQ(noc1.hops(a, b), 8 + 1);
}

RC_GTEST_PROP(Topology, RoundTripsGoAllTheWayRoundEveryAxisTheyUse, ()) {
  const auto width = *rc::gen::inRange(2, 12);
  const auto height = *rc::gen::inRange(2, 12);
  const Topology topology(small_chip(width, height), *rc::gen::inRange(0, 2));
  const auto a = *rc::gen::inRange(0, width * height);
  const auto b = *rc::gen::inRange(0, width * height);
  RC_ASSERT(topology.hops(a, b) + topology.hops(b, a) ==
            (a % width != b % width ? width : 0) + (a / width != b / width ? height : 0));
  std::int32_t hops = 0;
  for (RouterId at = a; at != b; ++hops) at = topology.next(at, topology.toward(at, b));
  RC_ASSERT(hops == topology.hops(a, b));
}

/// The tiles that a multicast delivers to, each once.
std::multiset<RouterId> reached(const Topology& topology, RouterId at, MulticastLeg leg, const Rectangle& area) {
  std::multiset<RouterId> tiles;
  const PortSet ports = topology.branches(at, leg, area);
  if ((ports >> to_tile & 1U) != 0) tiles.insert(at);
  for (const Port port : {to_x, to_y}) {
    if ((ports >> port & 1U) == 0) continue;
    tiles.merge(reached(topology, topology.next(at, port), topology.next_leg(at, leg, port, area), area));
  }
  return tiles;
}

RC_GTEST_PROP(Topology, AMulticastReachesEveryWorkerOfItsRectangleOnce, ()) {
  Torus torus = small_chip(*rc::gen::inRange(2, 9), *rc::gen::inRange(2, 9));
  // Some columns and rows without workers, as on the real chip.
  const auto thin_out = [](std::vector<std::int32_t>& lines) {
    const auto left_out = *rc::gen::inRange<std::size_t>(0, lines.size());
    if (lines.size() > 1) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(left_out));
  };
  thin_out(torus.worker_columns);
  thin_out(torus.worker_rows);
  const Topology topology(torus, *rc::gen::inRange(0, 2));
  const auto worker = [&] {
    return Coordinates{.x = *rc::gen::elementOf(torus.worker_columns), .y = *rc::gen::elementOf(torus.worker_rows)};
  };
  const Rectangle area{.first = worker(), .last = worker()};
  std::multiset<RouterId> expected;
  for (RouterId tile = 0; tile < topology.routers(); ++tile) {
    if (topology.is_worker(tile) && topology.contains(area, tile)) expected.insert(tile);
  }
  RC_ASSERT(reached(topology, topology.at(worker()), MulticastLeg::approach, area) == expected);
}

}  // namespace
}  // namespace muster::torus
