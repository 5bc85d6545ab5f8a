#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "collective/algorithm.h"
#include "collective/bounds/bound.h"
#include "collective/fault_test_support.h"
#include "collective/switches/groups.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

const Algorithm& in_network_for(Collective collective) { return find_algorithm(collective, "hyperx", "in-network"); }

Request any_request(Machine machine) {
  Request request{.machine = std::move(machine)};
  request.collective =
      *rc::gen::element(Collective::allreduce, Collective::reduce, Collective::broadcast, Collective::barrier);
  request.count = request.collective == Collective::barrier ? 1 : *rc::gen::inRange<std::int64_t>(1, 40);
  request.root = *rc::gen::inRange(0, rank_count(*as<HyperX>(request.machine)));
  return request;
}

/// Streams join neighbours; no directed link carries two; a switch has at most one step per lane.
void check_links(const Schedule& schedule, const HyperX& hyperx) {
  std::set<std::pair<NodeId, NodeId>> used;
  for (const Stream& stream : schedule.streams) {
    for (const NodeId sink : schedule.sinks_of(stream)) {
      RC_ASSERT(linked(hyperx, stream.source, sink));
      RC_ASSERT(used.insert({stream.source, sink}).second);
    }
  }
  for (const Lane& lane : schedule.lanes) RC_ASSERT(lane.count == 1);
}

RC_GTEST_PROP(InNetwork, IsRightForRandomMachinesCollectivesAndRoots, ()) {
  const Request request = any_request(any_small_hyperx());
  const Algorithm& algorithm = in_network_for(request.collective);
  RC_ASSERT(!algorithm.unsupported(request));
  RC_ASSERT(fault_of(algorithm, request, {}) == "");
  check_links(algorithm.make(request, {}), *as<HyperX>(request.machine));
}

RC_GTEST_PROP(InNetwork, IsRightForGroupsPastFailures, ()) {
  Machine machine = any_small_hyperx();
  if (*rc::gen::arbitrary<bool>()) damage(machine);
  Request request = any_request(machine);
  const HyperX& hyperx = *as<HyperX>(request.machine);
  request.options.of<HyperXOptions>().groups.resize(
      has_root(request.collective) ? 1 : *rc::gen::inRange<std::size_t>(1, 4));
  for (const std::int32_t node : any_participants(hyperx)) {
    request.options.of<HyperXOptions>()
        .groups[*rc::gen::inRange<std::size_t>(0, request.options.of<HyperXOptions>().groups.size())]
        .push_back(node);
  }
  std::erase_if(request.options.of<HyperXOptions>().groups, [](const auto& group) { return group.empty(); });
  request.root = request.options.of<HyperXOptions>().groups[0][0] * switches_per_node(hyperx) +
                 *rc::gen::inRange(0, switches_per_node(hyperx));
  const Algorithm& algorithm = in_network_for(request.collective);
  RC_PRE(!algorithm.unsupported(request));
  const Schedule schedule = algorithm.make(request, {});
  RC_ASSERT(schedule.contracts.size() == request.options.of<HyperXOptions>().groups.size());
  RC_ASSERT(fault_of(schedule, request.machine) == "");
  check_links(schedule, hyperx);
}

RC_GTEST_PROP(InNetwork, IsPredictedAboveTheBounds, ()) {
  const Request request = any_request(any_small_hyperx());
  const Ticks predicted = in_network_for(request.collective).cost(request, {});
  const std::vector<Bound> bounds = lower_bounds(request);
  RC_ASSERT(bounds.size() == (has_root(request.collective) ? 2U : 3U));
  for (const Bound& bound : bounds) RC_ASSERT(predicted >= bound.cycles);
}

TEST(InNetwork, IsAtTheBoundForLongVectorsAndNearItForShortOnes) {
  Request request{.machine = test_hyperx({4, 4}), .collective = Collective::allreduce, .count = 1 << 24};
  const auto to_bound = [&] {
    return in_network_for(request.collective).cost(request, {}) / lower_bounds(request).front().cycles;
  };
  EXPECT_LT(to_bound(), 1.0001);
  request = {.machine = request.machine, .collective = Collective::broadcast, .count = 2, .root = 700};
  EXPECT_LT(to_bound(), 1.05);
  request = {.machine = request.machine, .collective = Collective::allreduce, .count = 1};
  EXPECT_LT(to_bound(), 1.1);
}

Request allreduce_on(const Machine& machine, std::int64_t count) {
  return {.machine = machine, .collective = Collective::allreduce, .count = count};
}

TEST(InNetwork, CombinesInTheOrderOfPortsWithTheMemoryLast) {
  const Machine machine = test_hyperx({}, 1, 3, 1);
  const Schedule schedule = in_network_for(Collective::allreduce).make(allreduce_on(machine, 1), {});
  EXPECT_EQ(order_of_additions(schedule, 0, 0), "((x0 + x2) + x1)") << "west, east, memory";
  const Machine two = test_hyperx({}, 2, 1, 1);
  const Schedule pair = in_network_for(Collective::allreduce).make(allreduce_on(two, 1), {});
  EXPECT_EQ(order_of_additions(pair, 1, 0), "(x1 + x0)");
}

TEST(InNetwork, PredictsOneElementAsMemoryAndLinks) {
  // 8 B at 25.6 Gb/s are 2.5 ns, in and out; 16,384 nodes are 375 ns deep.
  const Machine machine = test_hyperx({32, 32, 16});
  const Algorithm& algorithm = in_network_for(Collective::allreduce);
  EXPECT_EQ(algorithm.cost(allreduce_on(machine, 1), {}), Ticks(2 * 2'500 + 2 * 375'000));
  EXPECT_EQ(algorithm.cost(allreduce_on(machine, 3), {}), Ticks(3 * 2'500 + 2 * 375'000)) << "two packets";
  EXPECT_EQ(algorithm.paper_cost(allreduce_on(machine, 1), {}), Ticks(780'000 + 1'250)) << "Eq. 1 and 2";
}

TEST(InNetwork, PredictsRootedCollectivesByTheirDepthOnce) {
  const Machine machine = test_hyperx({}, 1, 4, 1);
  const auto time = [&](Collective collective, std::int64_t count, NodeId root) {
    const Request request{.machine = machine, .collective = collective, .count = count, .root = root};
    return in_network_for(collective).cost(request, {}).value();
  };
  EXPECT_EQ(time(Collective::broadcast, 2, 0), 1'250 + 15'000 + 1'250) << "three links of 5 ns, full bandwidth";
  EXPECT_EQ(time(Collective::broadcast, 2, 1), 1'250 + 10'000 + 1'250);
  EXPECT_EQ(time(Collective::reduce, 2, 0), 1'250 + 15'000 + 2'500) << "the root reads and writes";
  EXPECT_EQ(time(Collective::reduce, 2'000, 0), 1'250 + 15'000 + 1'000 * 2'500)
      << "and writes one packet after another";
  EXPECT_EQ(time(Collective::barrier, 1, 0), 2'500 + 2 * 10'000 + 2'500);
}

TEST(InNetwork, RefusesGroupsThatMakeNoSense) {
  Machine machine = test_hyperx({2, 2});
  const auto reason = [&](Collective collective, std::vector<std::vector<std::int32_t>> groups, NodeId root = 0) {
    const Request request{.machine = machine,
                          .collective = collective,
                          .count = 1,
                          .root = root,
                          .options = HyperXOptions{.groups = std::move(groups)}};
    return in_network_for(collective).unsupported(request).value_or("supported");
  };
  EXPECT_EQ(reason(Collective::allreduce, {{1, 0}, {3, 2}}), "supported");
  EXPECT_EQ(reason(Collective::allreduce, {{0}, {}}), "has no nodes in group 1");
  EXPECT_EQ(reason(Collective::allreduce, {{0, 4}}), "has no node 4 (in group 0), only 0 to 3");
  EXPECT_EQ(reason(Collective::allreduce, {{0, 1, 0}}), "has node 0 twice in group 0");
  EXPECT_EQ(reason(Collective::allreduce, {{0, 1}, {2, 1}}),
            "has node 1 in groups 0 and 1, which would share its links, e.g. from core 128 to its switch; name each "
            "node in one group only");
  EXPECT_EQ(reason(Collective::reduce, {{0, 1}, {2, 3}}), "has one root and 2 groups; use one group");
  EXPECT_EQ(reason(Collective::reduce, {{0, 1}}, 300),
            "has its root, core 300, in node 2, which does not participate; use a root in the group, e.g. 0");
  EXPECT_EQ(reason(Collective::allreduce, {{0, 3}}), "supported") << "passes a node that nobody uses";
  EXPECT_EQ(reason(Collective::allreduce, {{0, 3}, {1, 2}}),
            "would use the switch of core 256 for groups 0 and 1; embeddings on one collective id must not share it");
  as<HyperX>(machine)->failed_nodes = {3};
  EXPECT_EQ(reason(Collective::allreduce, {{0, 3}}), "cannot use node 3 of group 0, which has failed");
  EXPECT_EQ(reason(Collective::allreduce, {}), "supported") << "all that are left";
  EXPECT_EQ(reason(Collective::reduce, {}, 511),
            "has its root, core 511, in node 3, which does not participate; use a root in the group, e.g. 0");
}

}  // namespace
}  // namespace muster
