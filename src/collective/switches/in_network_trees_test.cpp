#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "collective/algorithm.h"
#include "collective/bounds/bound.h"
#include "collective/fault_test_support.h"
#include "collective/switches/several_trees.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

const Algorithm& trees() { return find_algorithm(Collective::allreduce, "hyperx", "in-network-trees"); }

Request vector_per_node(Machine machine, std::int64_t count) {
  return {.machine = std::move(machine),
          .collective = Collective::allreduce,
          .count = count,
          .options = HyperXOptions{.vector_per_node = true}};
}

RC_GTEST_PROP(InNetworkTrees, AreRightAndShareNoSwitch, ()) {
  std::vector<std::int32_t> shape(*rc::gen::inRange<std::size_t>(0, 3));
  for (std::int32_t& nodes : shape) nodes = *rc::gen::inRange(2, 5);
  Machine machine = test_hyperx(shape, *rc::gen::inRange(6, 9), *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 3));
  if (*rc::gen::arbitrary<bool>()) damage(machine);
  const Request request = vector_per_node(machine, *rc::gen::inRange<std::int64_t>(1, 60));
  RC_PRE(!trees().unsupported(request));
  const Parameters parameters = complete_parameters(trees(), request, {});
  const Schedule schedule = trees().make(request, parameters);
  RC_ASSERT(fault_of(schedule, request.machine) == "");
  std::int64_t words = 0;
  std::set<NodeId> cores;
  for (const Contract& contract : schedule.contracts) {
    words += contract.count;
    RC_ASSERT(contract.ranks.size() + as<HyperX>(request.machine)->failed_nodes.size() ==
              at(hyperx_nodes(*as<HyperX>(request.machine))));
    for (const NodeId core : contract.ranks) RC_ASSERT(cores.insert(core).second);
  }
  RC_ASSERT(words == request.count);
  // A switch that two trees used would have two steps in a lane.
  for (const Lane& lane : schedule.lanes) RC_ASSERT(lane.count == 1);
  for (const Bound& bound : lower_bounds(request)) {
    RC_ASSERT(trees().cost(request, parameters).value() >= bound.cycles.value());
  }
}

TEST(InNetworkTrees, AreThreeTimesAsFastOnSixteenNodes) {
  const Request request = vector_per_node(test_hyperx({4, 4}), 3 << 20);
  EXPECT_EQ(complete_parameters(trees(), request, {}), (Parameters{{"trees", 3}}));
  const double single_tree = static_cast<double>(trees().cost(request, {{"trees", 1}}).value());
  EXPECT_NEAR(single_tree / static_cast<double>(trees().cost(request, {{"trees", 3}}).value()), 3, 0.01);
  // A memory that reads and writes gives a tree 25.6 Gb/s.
  EXPECT_NEAR(single_tree * 1e-12, (12 << 20) / 3.2e9, 1e-5);
}

TEST(InNetworkTrees, AreNoMoreThanPackets) {
  const auto trees_for = [](std::int64_t count) {
    const Request request = vector_per_node(test_hyperx({4, 4}), count);
    const Parameters parameters = complete_parameters(trees(), request, {});
    EXPECT_EQ(trees().make(request, parameters).contracts.size(), at(parameters.at("trees"))) << count;
    return parameters.at("trees");
  };
  EXPECT_EQ(trees_for(1), 1);
  EXPECT_EQ(trees_for(2), 1) << "two words fill a packet";
  EXPECT_EQ(trees_for(3), 2);
  EXPECT_EQ(trees_for(4), 2);
  EXPECT_EQ(trees_for(5), 3);
  EXPECT_EQ(trees_for(500), 3);
}

TEST(InNetworkTrees, AreOneOnLargeMachinesAndWherePortsShareSockets) {
  const Request few_sockets = vector_per_node(test_hyperx({4, 4}, 5), 100);
  EXPECT_EQ(why_one_tree(few_sockets),
            "several trees need a socket for each of a node's 6 ports to other nodes, got 5");
  const Request many_nodes = vector_per_node(test_hyperx({16, 9}, 32, 1, 1), 100);
  EXPECT_EQ(why_one_tree(many_nodes), "several trees are supported on up to 128 nodes");
  for (const Request& request : {few_sockets, many_nodes}) {
    EXPECT_EQ(trees().unsupported(request), std::nullopt);
    EXPECT_EQ(complete_parameters(trees(), request, {}), (Parameters{{"trees", 1}}));
    EXPECT_EQ(fault_of(trees(), request, {}), "");
  }
}

TEST(InNetworkTrees, NeedAVectorPerNodeOfOneGroup) {
  Request request = vector_per_node(test_hyperx({4, 4}), 100);
  request.options.of<HyperXOptions>().groups = {{0, 5}};
  EXPECT_EQ(trees().unsupported(request), "would pass through node 4, which does not participate");
  request.options.of<HyperXOptions>().groups = {{0}, {1}};
  EXPECT_EQ(trees().unsupported(request), "supports one group, got 2");
  request.options.of<HyperXOptions>().vector_per_node = false;
  EXPECT_EQ(complete_parameters(trees(), request, {}), (Parameters{{"trees", 1}}));
  EXPECT_EQ(trees().unsupported(request)->substr(0, 25), "needs one vector per node");
  request.options.of<HyperXOptions>().vector_per_node = true;
  const auto reason = find_algorithm(Collective::allreduce, "hyperx", "in-network").unsupported(request);
  EXPECT_EQ(reason, "needs a vector per core; use in-network-trees for one per node");
}

}  // namespace
}  // namespace muster
