#include "collective/switches/embedding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "base/index.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

/// The plain version for a whole machine: every switch sends along its default route.
Embedding embedding_by_routes(const HyperX& hyperx, NodeId root) {
  const NodeId first = rank_count(hyperx);
  Embedding all;
  for (NodeId node = first; node < node_count(hyperx); ++node) {
    all.switches.push_back(node);
    all.takes_part.push_back(true);
    all.parent.push_back(node == root ? kNoNode : next_switch(hyperx, node, root) - first);
    all.first_child.push_back(static_cast<std::int32_t>(all.children.size()));
    for (const NodeId other : neighbours(hyperx, node)) {
      if (other != root && next_switch(hyperx, other, root) == node) all.children.push_back(other - first);
    }
  }
  all.first_child.push_back(static_cast<std::int32_t>(all.children.size()));
  all.root = root - first;
  return all;
}

Ticks depth_by_routes(const HyperX& hyperx, NodeId root) {
  Ticks depth;
  for (NodeId node = rank_count(hyperx); node < node_count(hyperx); ++node) {
    depth = std::max(depth, route_latency(hyperx, node, root));
  }
  return depth;
}

RC_GTEST_PROP(Embedding, OfAWholeMachineIsTheUnionOfDefaultRoutes, ()) {
  const Machine machine = any_small_hyperx();
  const HyperX& hyperx = *as<HyperX>(machine);
  const NodeId root = *rc::gen::inRange(rank_count(hyperx), node_count(hyperx));
  const EmbeddingPlan plan = plan_embedding(hyperx, whole_nodes(hyperx), root).value();
  RC_ASSERT(plan.root == root);
  RC_ASSERT(plan.depth == depth_by_routes(hyperx, root));
  RC_ASSERT(embed(hyperx, plan) == embedding_by_routes(hyperx, root));
}

RC_GTEST_PROP(Embedding, HasTheSwitchOfLeastDepthInTheMiddleAsItsRoot, ()) {
  const Machine machine = any_small_hyperx();
  const HyperX& hyperx = *as<HyperX>(machine);
  const EmbeddingPlan plan = plan_embedding(hyperx, whole_nodes(hyperx)).value();
  const HyperXCoordinates coordinates = coordinates_of(hyperx, plan.root);
  for (std::size_t d = 0; d < hyperx.shape.size(); ++d) {
    RC_ASSERT(coordinate(hyperx, coordinates.node, d) == (hyperx.shape[d] - 1) / 2);
  }
  const NodeId first = plan.root - (plan.root - rank_count(hyperx)) % switches_per_node(hyperx);
  for (NodeId node = first; node < first + switches_per_node(hyperx); ++node) {
    RC_ASSERT(std::pair(depth_by_routes(hyperx, node), node) >= std::pair(plan.depth, plan.root));
  }
}

/// Nodes on the best way to `root` that take no part, then hops: by trying all links again and again.
std::vector<std::pair<int, int>> plain_distances(const HyperX& hyperx, const std::vector<std::int32_t>& participants,
                                                 std::int32_t root) {
  const std::int32_t nodes = hyperx_nodes(hyperx);
  std::vector<std::pair<int, int>> distance(at(nodes), {std::numeric_limits<int>::max(), 0});
  distance[at(root)] = {0, 0};
  for (std::int32_t round = 0; round < nodes; ++round) {
    for (std::int32_t a = 0; a < nodes; ++a) {
      for (std::int32_t b = 0; b < nodes; ++b) {
        const bool usable = node_link_dimension(hyperx, a, b) && !has_failed(hyperx, a, b);
        if (!usable || distance[at(a)].first == std::numeric_limits<int>::max()) continue;
        const bool takes_part = std::binary_search(participants.begin(), participants.end(), b);
        distance[at(b)] =
            std::min(distance[at(b)], {distance[at(a)].first + (takes_part ? 0 : 1), distance[at(a)].second + 1});
      }
    }
  }
  return distance;
}

/// Foreign nodes and node hops of a switch's way to the root, and its latency.
struct Path {
  std::pair<int, int> nodes;
  Ticks latency;
};

Path path_of(const HyperX& hyperx, const Embedding& embedding, std::int32_t start) {
  Path path;
  for (std::int32_t i = start; embedding.parent[at(i)] != kNoNode; i = embedding.parent[at(i)]) {
    const NodeId from = embedding.switches[at(i)];
    const NodeId to = embedding.switches[at(embedding.parent[at(i)])];
    RC_ASSERT(linked(hyperx, from, to));
    path.latency += link_latency(hyperx, from, to);
    if (coordinates_of(hyperx, from).node == coordinates_of(hyperx, to).node) continue;
    ++path.nodes.second;
    path.nodes.first += embedding.takes_part[at(embedding.parent[at(i)])] ? 0 : 1;
  }
  return path;
}

void check_children(const HyperX& hyperx, const Embedding& embedding) {
  std::size_t children = 0;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(embedding.switches.size()); ++i) {
    const std::vector<NodeId> ports = neighbours(hyperx, embedding.switches[at(i)]);
    auto port = ports.begin();
    for (const std::int32_t child : embedding.children_of(i)) {
      RC_ASSERT(embedding.parent[at(child)] == i);
      port = std::find(port, ports.end(), embedding.switches[at(child)]);
      RC_ASSERT(port != ports.end());
      ++port;
      ++children;
    }
    RC_ASSERT(embedding.takes_part[at(i)] || !embedding.children_of(i).empty());
  }
  RC_ASSERT(children + 1 == embedding.switches.size());
}

void check_embedding(const HyperX& hyperx, const std::vector<std::int32_t>& participants, const EmbeddingPlan& plan) {
  const Embedding embedding = embed(hyperx, plan);
  RC_ASSERT(embedding.switches[at(embedding.root)] == plan.root);
  RC_ASSERT(embedding.parent[at(embedding.root)] == kNoNode);
  check_children(hyperx, embedding);
  const auto distance = plain_distances(hyperx, participants, coordinates_of(hyperx, plan.root).node);
  std::int64_t cores = 0;
  Ticks depth;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(embedding.switches.size()); ++i) {
    const std::int32_t node = coordinates_of(hyperx, embedding.switches[at(i)]).node;
    const bool takes_part = std::binary_search(participants.begin(), participants.end(), node);
    RC_ASSERT(embedding.takes_part[at(i)] == takes_part);
    RC_ASSERT(takes_part != std::binary_search(embedding.foreign.begin(), embedding.foreign.end(), node));
    if (!takes_part) continue;
    ++cores;
    const Path path = path_of(hyperx, embedding, i);
    RC_ASSERT(path.nodes == distance[at(node)]);
    depth = std::max(depth, path.latency);
  }
  RC_ASSERT(cores == static_cast<std::int64_t>(participants.size()) * switches_per_node(hyperx));
  RC_ASSERT(depth == plan.depth);
}

RC_GTEST_PROP(Embedding, TakesTheBestWaysPastFailuresAndOthers, ()) {
  Machine machine = any_small_hyperx();
  if (*rc::gen::arbitrary<bool>()) damage(machine);
  const HyperX& hyperx = *as<HyperX>(machine);
  const std::vector<std::int32_t> participants = any_participants(hyperx);
  std::optional<NodeId> root;
  if (*rc::gen::arbitrary<bool>()) {
    root = rank_count(hyperx) + *rc::gen::elementOf(participants) * switches_per_node(hyperx) +
           *rc::gen::inRange(0, switches_per_node(hyperx));
  }
  const Outcome<EmbeddingPlan> plan = plan_embedding(hyperx, participants, root);
  const std::int32_t start = root ? coordinates_of(hyperx, *root).node : participants.front();
  const auto distance = plain_distances(hyperx, participants, start);
  const bool reached = std::all_of(participants.begin(), participants.end(), [&](std::int32_t node) {
    return distance[at(node)].first < std::numeric_limits<int>::max();
  });
  RC_ASSERT(plan.ok() == reached);
  if (plan) check_embedding(hyperx, participants, plan.value());
}

RC_GTEST_PROP(Embedding, HasANodeOfLeastEccentricityAsItsRoot, ()) {
  Machine machine = any_small_hyperx();
  if (*rc::gen::arbitrary<bool>()) damage(machine);
  const HyperX& hyperx = *as<HyperX>(machine);
  const std::vector<std::int32_t> participants = any_participants(hyperx);
  const Outcome<NodeTree> tree = tree_to_center(hyperx, participants);
  RC_PRE(tree.ok());
  const auto eccentricity = [&](std::int32_t root) {
    const auto distance = plain_distances(hyperx, participants, root);
    std::pair most{0, 0};
    for (const std::int32_t node : participants) most = std::max(most, distance[at(node)]);
    return most;
  };
  const auto chosen = eccentricity(tree.value().root());
  for (const std::int32_t node : participants) RC_ASSERT(eccentricity(node) >= chosen);
}

/// What Eq. 1 allows one way, in picoseconds, with so many ways through the mesh of a socket.
std::int64_t allowed(const HyperX& hyperx, std::int64_t ways) {
  const auto dimensions = static_cast<std::int64_t>(hyperx.shape.size());
  const std::int64_t mesh_diameter = hyperx.core_columns - 1 + hyperx.core_rows - 1;
  return 50'000 * dimensions + 25'000 * (dimensions + 1) + 5'000 * mesh_diameter * ways;
}

RC_GTEST_PROP(Embedding, IsAsDeepAsEq1AllowsAndOneMoreWayThroughAMesh, ()) {
  // Eq. 1 counts a way through the mesh before each of the 2 D + 1 hops to sockets and nodes, and none after the last one: it
  // takes the root to hold the ports of all sockets. Ours has them spread over the cores of its socket.
  const Machine machine = any_small_hyperx();
  const HyperX& hyperx = *as<HyperX>(machine);
  const auto dimensions = static_cast<std::int64_t>(hyperx.shape.size());
  const EmbeddingPlan plan = plan_embedding(hyperx, whole_nodes(hyperx)).value();
  RC_ASSERT(plan.depth.value() <= allowed(hyperx, 2 * dimensions + 2));
}

TEST(Embedding, IsWithinEq1OnSeveralNodesOfPiumaAndNotOnOne) {
  const auto depth = [](std::vector<std::int32_t> shape) {
    const Machine machine = test_hyperx(std::move(shape));
    return plan_embedding(*as<HyperX>(machine), whole_nodes(*as<HyperX>(machine))).value().depth.value();
  };
  EXPECT_EQ(depth({}), 55'000) << "Eq. 1: 45 ns";
  EXPECT_EQ(depth({16}), 150'000) << "Eq. 1: 160 ns";
  EXPECT_EQ(depth({4, 4}), 240'000) << "Eq. 1: 275 ns";
  EXPECT_EQ(depth({32, 32}), 255'000);
  EXPECT_EQ(depth({32, 32, 16}), 375'000) << "Eq. 1: 390 ns";
}

TEST(Embedding, SaysWhatCannotBeReached) {
  Machine machine = test_hyperx({2, 2});
  as<HyperX>(machine)->failed_nodes = {1, 2};
  const Outcome<EmbeddingPlan> plan = plan_embedding(*as<HyperX>(machine), whole_nodes(*as<HyperX>(machine)));
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.reason(), "cannot reach node 3 from node 0 because of failures");
}

TEST(Embedding, PassesANodeThatTakesNoPartOnlyWhereItMust) {
  const Machine machine = test_hyperx({2, 2});
  const HyperX& hyperx = *as<HyperX>(machine);
  const std::vector<std::int32_t> corner{0, 1, 3};
  EXPECT_TRUE(plan_embedding(hyperx, corner).value().nodes.foreign.empty());
  const std::vector<std::int32_t> diagonal{0, 3};
  const EmbeddingPlan plan = plan_embedding(hyperx, diagonal).value();
  EXPECT_EQ(plan.nodes.foreign, std::vector<std::int32_t>{2}) << "from node 3 along dimension 0";
  const Embedding embedding = embed(hyperx, plan);
  EXPECT_EQ(embedding.foreign, std::vector<std::int32_t>{2});
  EXPECT_EQ(embedding.switches.size(), 2U * 128 + 3) << "from core 0 of socket 0, and over to that of socket 1";
}

TEST(Embedding, GoesAroundAFailedLink) {
  Machine machine = test_hyperx({4, 4});
  as<HyperX>(machine)->failed_links = {{4, 5}};
  const HyperX& hyperx = *as<HyperX>(machine);
  const NodeTree tree = tree_to(hyperx, whole_nodes(hyperx), 5).value();
  const auto parent = [&](std::int32_t node) {
    const auto index = std::find(tree.nodes.begin(), tree.nodes.end(), node) - tree.nodes.begin();
    return tree.nodes[at(tree.parent[at(index)])];
  };
  EXPECT_EQ(parent(6), 5);
  EXPECT_EQ(parent(8), 9) << "the default route";
  EXPECT_NE(parent(4), 5) << "two hops instead of one";
}

}  // namespace
}  // namespace muster
