#include "machine/routing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/error.h"
#include "machine/families.h"
#include "machine/test_hyperx.h"

namespace muster {
namespace {

Machine mesh(std::int32_t width, std::int32_t height) {
  Mesh network;
  network.width = width;
  network.height = height;
  network.max_width = width;
  network.max_height = height;
  network.router_buffer = 3;
  return {.name = "mesh", .summary = "", .network = network};
}

/// The Wormhole's columns and rows: 8 x 9 of 10 x 12 tiles work.
Machine torus() {
  Torus network;
  network.width = 10;
  network.height = 12;
  network.worker_columns = {1, 2, 3, 4, 6, 7, 8, 9};
  network.worker_rows = {1, 2, 3, 4, 5, 7, 8, 9, 10};
  network.input_buffer = Bytes(2048);
  return {.name = "torus", .summary = "", .network = network};
}

Machine cluster(const std::vector<std::pair<Cluster::Kind, std::int32_t>>& dimensions) {
  Cluster network;
  network.buffer_chunks = 2;
  for (const auto& [kind, size] : dimensions) {
    Cluster::Dimension dimension;
    dimension.kind = kind;
    dimension.size = size;
    network.dimensions.push_back(dimension);
  }
  return {.name = "cluster", .summary = "", .network = network};
}

Machine any_machine() {
  const auto size = [] { return *rc::gen::inRange<std::int32_t>(1, 6); };
  const auto dimension = [] { return *rc::gen::inRange<std::int32_t>(2, 6); };
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return mesh(size() + 3, size());
    case 1:
      return torus();
    case 2: {
      std::vector<std::int32_t> shape(*rc::gen::inRange<std::size_t>(0, 4));
      for (std::int32_t& nodes : shape) nodes = dimension();
      return test_hyperx(shape, size(), size(), size());
    }
    default: {
      Machine machine = cluster({{Cluster::Kind::ring, dimension()},
                                 {Cluster::Kind::switched, dimension()},
                                 {Cluster::Kind::fully_connected, dimension()},
                                 {Cluster::Kind::switched, dimension()}});
      auto& dimensions = as<Cluster>(machine)->dimensions;
      for (const std::size_t d : {1U, 3U}) dimensions[d].reduces = *rc::gen::arbitrary<bool>();
      return machine;
    }
  }
}

RC_GTEST_PROP(Route, IsAChainOfLinksOfTheStatedLength, ()) {
  const Machine machine = any_machine();
  const NodeId from = *rc::gen::inRange(0, node_count(machine));
  const NodeId to = *rc::gen::inRange(0, node_count(machine));
  const std::vector<NodeId> route = default_route(machine, from, to);
  RC_ASSERT(route.front() == from);
  RC_ASSERT(route.back() == to);
  RC_ASSERT(default_hops(machine, from, to) == static_cast<std::int64_t>(route.size()) - 1);
  for (std::size_t i = 1; i < route.size(); ++i) RC_ASSERT(linked(machine, route[i - 1], route[i]));
}

RC_GTEST_PROP(Link, IsThereInBothDirectionsAndNeverToItself, ()) {
  const Machine machine = any_machine();
  const NodeId from = *rc::gen::inRange(0, node_count(machine));
  const NodeId to = *rc::gen::inRange(0, node_count(machine));
  RC_ASSERT(linked(machine, from, to) == linked(machine, to, from));
  RC_ASSERT(!linked(machine, from, from));
}

TEST(MeshRoute, GoesAlongTheRowAndThenAlongTheColumn) {
  const Machine machine = mesh(4, 3);
  EXPECT_EQ(rank_count(machine), 12);
  EXPECT_EQ(node_count(machine), 12);
  EXPECT_EQ(default_route(machine, 0, 11), (std::vector<NodeId>{0, 1, 2, 3, 7, 11}));
  EXPECT_EQ(default_route(machine, 11, 0), (std::vector<NodeId>{11, 10, 9, 8, 4, 0}));
  EXPECT_EQ(default_route(machine, 5, 5), std::vector<NodeId>{5});
  EXPECT_EQ(node_text(machine, 7), "PE (3,1)");
}

TEST(MeshLink, LeadsToTheFourNeighboursOnly) {
  const Machine machine = mesh(4, 3);
  EXPECT_TRUE(linked(machine, 5, 4));
  EXPECT_TRUE(linked(machine, 5, 9));
  EXPECT_FALSE(linked(machine, 5, 10));
  EXPECT_FALSE(linked(machine, 3, 4));  // the end of a row and the start of the next
}

TEST(TorusCoordinates, NumberWorkersFirstAndThenTheRestRowByRow) {
  const Machine machine = torus();
  EXPECT_EQ(rank_count(machine), 72);
  EXPECT_EQ(node_count(machine), 120);
  EXPECT_EQ(node_text(machine, 0), "tile (1,1)");
  EXPECT_EQ(node_text(machine, 71), "tile (9,10)");
  EXPECT_EQ(node_text(machine, 72), "tile (0,0)");
  EXPECT_EQ(node_text(machine, 82), "tile (0,1)");
  EXPECT_EQ(node_text(machine, 83), "tile (5,1)");
  EXPECT_EQ(node_text(machine, 119), "tile (9,11)");
  std::set<Coordinates> all;
  for (NodeId node = 0; node < 120; ++node) {
    const Coordinates coordinates = coordinates_of(*as<Torus>(machine), node);
    all.insert(coordinates);
    EXPECT_EQ(node_at(*as<Torus>(machine), coordinates), node);
  }
  EXPECT_EQ(all.size(), 120U);
}

TEST(TorusRoute, GoesEastAndThenSouthAndRoundTheEdges) {
  const Machine machine = torus();
  const auto at = [&](std::int32_t x, std::int32_t y) { return node_at(*as<Torus>(machine), {.x = x, .y = y}); };
  EXPECT_EQ(default_route(machine, at(1, 1), at(3, 2)), (std::vector<NodeId>{at(1, 1), at(2, 1), at(3, 1), at(3, 2)}));
  EXPECT_EQ(default_hops(machine, at(2, 1), at(1, 1)), 9);  // all the way round
  EXPECT_EQ(default_hops(machine, at(1, 1), at(1, 10)), 9);
  EXPECT_EQ(default_hops(machine, at(1, 10), at(1, 1)), 3);
  EXPECT_TRUE(linked(machine, at(0, 0), at(9, 0)));
  EXPECT_TRUE(linked(machine, at(0, 0), at(0, 11)));
  EXPECT_FALSE(can_combine(machine, at(0, 0)));
  EXPECT_TRUE(can_combine(machine, at(1, 1)));
  EXPECT_TRUE(can_store(machine, at(1, 1)));
  EXPECT_FALSE(can_store(machine, at(0, 0)));
}

TEST(TorusRoute, HasTheHopsOfTheThesis) {
  // One step of recursive doubling between neighbours two columns apart crosses the DRAM column 5 once.
  const Machine machine = torus();
  const auto at = [&](std::int32_t x, std::int32_t y) { return node_at(*as<Torus>(machine), {.x = x, .y = y}); };
  EXPECT_EQ(default_hops(machine, at(4, 1), at(6, 1)), 2);
  EXPECT_EQ(default_hops(machine, at(1, 5), at(1, 7)), 2);
}

TEST(HyperXRoute, StartsAndEndsAtTheSwitchesOfItsRanks) {
  const Machine machine = test_hyperx({}, 2, 4, 2);
  EXPECT_EQ(rank_count(machine), 16);
  EXPECT_EQ(node_count(machine), 32);
  EXPECT_EQ(default_route(machine, 0, 1), (std::vector<NodeId>{0, 16, 17, 1}));
  EXPECT_EQ(default_route(machine, 0, 5), (std::vector<NodeId>{0, 16, 17, 21, 5}));
  EXPECT_EQ(default_route(machine, 16, 21), (std::vector<NodeId>{16, 17, 21}));
  EXPECT_EQ(default_route(machine, 3, 19), (std::vector<NodeId>{3, 19}));
  // Socket 0 reaches socket 1 at core 1, and arrives at core 0.
  EXPECT_EQ(default_route(machine, 16, 24), (std::vector<NodeId>{16, 17, 24}));
  EXPECT_TRUE(linked(machine, 17, 24));
  EXPECT_FALSE(linked(machine, 16, 24));
  EXPECT_FALSE(linked(machine, 0, 1));
  EXPECT_TRUE(can_combine(machine, 31));
  EXPECT_EQ(node_text(machine, 5), "core 5");
  EXPECT_EQ(node_text(machine, 21), "switch of core 5");
}

TEST(HyperXPorts, GoRoundTheSocketsFirst) {
  const Machine machine = test_hyperx({4, 4});
  const HyperX& network = *as<HyperX>(machine);
  EXPECT_EQ(node_port(network, 0, 0, 1), (HyperXCoordinates{.node = 0, .socket = 0, .core = 0}));
  EXPECT_EQ(node_port(network, 0, 0, 3), (HyperXCoordinates{.node = 0, .socket = 2, .core = 0}));
  EXPECT_EQ(node_port(network, 0, 1, 1), (HyperXCoordinates{.node = 0, .socket = 3, .core = 0}));
  EXPECT_EQ(node_port(network, 5, 0, 0), (HyperXCoordinates{.node = 5, .socket = 0, .core = 0}));
  EXPECT_EQ(node_port(network, 5, 0, 2), (HyperXCoordinates{.node = 5, .socket = 1, .core = 0}));
  const Machine large = test_hyperx({32, 32, 16});
  EXPECT_EQ(node_port(*as<HyperX>(large), 0, 2, 15),
            (HyperXCoordinates{.node = 0, .socket = 76 % 16, .core = 76 / 16}));
}

TEST(HyperXRoute, TakesAtMostOneNodeHopPerDimension) {
  const Machine machine = test_hyperx({4, 3, 2});
  const HyperX& network = *as<HyperX>(machine);
  const NodeId last = node_count(machine) - 1;
  int node_hops = 0;
  const std::vector<NodeId> route = default_route(machine, 0, rank_count(machine) - 1);
  for (std::size_t i = 1; i < route.size(); ++i) {
    node_hops += coordinates_of(network, route[i - 1]).node != coordinates_of(network, route[i]).node ? 1 : 0;
  }
  EXPECT_EQ(node_hops, 3);
  EXPECT_EQ(coordinates_of(network, last), (HyperXCoordinates{.node = 23, .socket = 15, .core = 7}));
}

TEST(HyperXRoute, StaysWithinThePapersLongestPath) {
  // Eq. 1 allows D node hops, D + 1 socket hops and d_max = 4 core hops for each part between them.
  const Machine machine = test_hyperx({4, 4});
  const std::int64_t most = 2 + 2 + 3 + 4 * 5;
  for (NodeId from = 0; from < rank_count(machine); from += 37) {
    for (NodeId to = 0; to < rank_count(machine); to += 41) ASSERT_LE(default_hops(machine, from, to), most);
  }
}

TEST(ClusterRoute, GoesDimensionByDimensionTheShortWayRound) {
  const Machine machine = cluster({{Cluster::Kind::ring, 5}, {Cluster::Kind::switched, 4}});
  EXPECT_EQ(rank_count(machine), 20);
  EXPECT_EQ(default_route(machine, 0, 2), (std::vector<NodeId>{0, 1, 2}));
  EXPECT_EQ(default_route(machine, 0, 3), (std::vector<NodeId>{0, 4, 3}));
  EXPECT_EQ(default_route(machine, 0, 18), (std::vector<NodeId>{0, 4, 3, 18}));
  EXPECT_TRUE(linked(machine, 0, 15));
  EXPECT_TRUE(linked(machine, 0, 4));
  EXPECT_FALSE(linked(machine, 0, 2));
  EXPECT_FALSE(linked(machine, 0, 6));
  EXPECT_EQ(node_text(machine, 7), "NPU 7");
}

TEST(ClusterSwitch, IsANodeBehindTheNpusWhereItReduces) {
  Machine machine = cluster({{Cluster::Kind::switched, 3}, {Cluster::Kind::ring, 2}, {Cluster::Kind::switched, 4}});
  EXPECT_EQ(node_count(machine), 24);
  auto& network = *as<Cluster>(machine);
  network.dimensions[0].reduces = network.dimensions[2].reduces = true;
  EXPECT_EQ(rank_count(machine), 24);
  EXPECT_EQ(node_count(machine), 24 + 8 + 6);
  EXPECT_EQ(switch_of(network, 0, 0), 24);
  EXPECT_EQ(switch_of(network, 5, 0), 25);
  EXPECT_EQ(switch_of(network, 23, 0), 31);
  EXPECT_EQ(switch_of(network, 5, 2), 37);
  EXPECT_EQ(switch_of(network, 23, 2), 37) << "5 + 3 times 6";
  EXPECT_TRUE(linked(machine, 5, 25) && linked(machine, 25, 3) && linked(machine, 37, 23));
  EXPECT_FALSE(linked(machine, 6, 25));
  EXPECT_EQ(default_route(machine, 24, 5), (std::vector<NodeId>{24, 2, 5}));
  EXPECT_EQ(default_route(machine, 0, 37), (std::vector<NodeId>{0, 2, 5, 37}));
  EXPECT_TRUE(can_combine(machine, 37));
  EXPECT_EQ(node_text(machine, 37), "switch 13");
}

TEST(ClusterLink, JoinsNeighboursOnARingAndAllPairsWhereAllAreLinked) {
  const Machine machine =
      cluster({{Cluster::Kind::ring, 5}, {Cluster::Kind::switched, 4}, {Cluster::Kind::fully_connected, 3}});
  const Cluster& network = *as<Cluster>(machine);
  EXPECT_EQ(link_dimension(network, 0, 1), 0);
  EXPECT_EQ(link_dimension(network, 4, 0), 0);
  EXPECT_EQ(link_dimension(network, 0, 2), -1) << "two hops";
  EXPECT_EQ(link_dimension(network, 0, 5), -1) << "through a switch";
  EXPECT_EQ(link_dimension(network, 0, 40), 2);
  EXPECT_EQ(link_dimension(network, 0, 41), -1) << "two dimensions";
  EXPECT_EQ(link_dimension(network, 7, 7), -1);
}

TEST(ClusterRoute, GoesUpwardsWhereBothWaysAreEquallyLong) {
  const Machine machine = cluster({{Cluster::Kind::ring, 4}});
  EXPECT_EQ(default_route(machine, 0, 2), (std::vector<NodeId>{0, 1, 2}));
  EXPECT_EQ(default_route(machine, 3, 1), (std::vector<NodeId>{3, 0, 1}));
  EXPECT_EQ(default_route(machine, 0, 3), (std::vector<NodeId>{0, 3}));
}

TEST(ClusterRoute, GoesUpwardsAloneWhereNpusHaveOneLinkOnTheRing) {
  Machine machine = cluster({{Cluster::Kind::ring, 4}});
  as<Cluster>(machine)->dimensions[0].links = 1;
  EXPECT_EQ(default_route(machine, 0, 3), (std::vector<NodeId>{0, 1, 2, 3}));
  EXPECT_EQ(default_hops(machine, 0, 3), 3);
  EXPECT_TRUE(linked(machine, 3, 0));
  EXPECT_FALSE(linked(machine, 0, 3));
  EXPECT_EQ(link_dimension(*as<Cluster>(machine), 0, 3), 0) << "the link from 3 to 0";
}

TEST(StreamBuffer, IsWhatTheNetworkHoldsForAStream) {
  EXPECT_EQ(stream_buffer(mesh(2, 2)), 3);
  EXPECT_EQ(stream_buffer(torus()), 512);
  EXPECT_EQ(stream_buffer(test_hyperx({})), 16);
  EXPECT_EQ(stream_buffer(cluster({{Cluster::Kind::ring, 4}})), kWholeStream);
}

TEST(Routing, AssertsThatNodesExist) {
  EXPECT_THROW((void)default_route(mesh(2, 2), 0, 4), InternalError);
  EXPECT_THROW((void)linked(mesh(2, 2), -1, 0), InternalError);
  EXPECT_THROW((void)node_text(mesh(2, 2), 4), InternalError);
}

}  // namespace
}  // namespace muster
