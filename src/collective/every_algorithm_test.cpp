// Every registered algorithm, with no further code: small machines x sizes x roots → verify → reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/collective_test_support.h"
#include "collective/fault_test_support.h"
#include "collective/torus/torus_test_machines.h"
#include "machine/routing.h"
#include "machine/test_clusters.h"
#include "machine/test_hyperx.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"

namespace muster {
namespace {

/// Of every family that has algorithms.
std::vector<Machine> small_machines() {
  std::vector<Machine> machines;
  for (const auto& [width, height] :
       {std::pair{1, 1}, {2, 1}, {3, 1}, {8, 1}, {1, 9}, {13, 1}, {2, 3}, {4, 4}, {8, 2}}) {
    machines.push_back(ideal_wafer(width, height));
  }
  for (const Machine& cluster : small_clusters()) machines.push_back(cluster);
  for (const auto& shape : std::vector<std::vector<std::int32_t>>{{}, {2}, {3, 2}}) {
    machines.push_back(test_hyperx(shape, 6, 2, 1));
  }
  for (const std::int64_t ranks : {1, 2, 5, 8, 13}) machines.push_back(test_wormhole(ranks));
  return machines;
}

/// The request as the algorithm can be asked, if it can.
std::optional<Request> supported_by(const Algorithm& algorithm, Request request) {
  for (const bool per_node : {false, true}) {
    request.options.of<HyperXOptions>().vector_per_node = per_node;
    if (!algorithm.unsupported(request)) return request;
  }
  return {};
}

/// What is wrong with what it makes, or nothing.
std::string fault_with_defaults(const Algorithm& algorithm, const Request& request) {
  const Schedule schedule = algorithm.make(request, complete_parameters(algorithm, request, {}));
  std::int64_t words = 0;
  for (const Contract& contract : schedule.contracts) {
    if (contract.collective != request.collective) return "another collective";
    words += contract.count;
  }
  if (words != request.count) return "another count";
  return fault_of(schedule, request.machine);
}

TEST(EveryAlgorithm, IsRightOnAllSmallMachinesOfItsFamilyAndRoots) {
  const std::vector<Machine> machines = small_machines();
  for (const Algorithm& algorithm : algorithms()) {
    int supported = 0;
    for (const Machine& machine : machines) {
      if (family_name(machine) != algorithm.family) continue;
      const NodeId ranks = rank_count(machine);
      for (NodeId root = 0; root < (has_root(algorithm.collective) ? ranks : 1); ++root) {
        const Request asked =
            sized_for({.machine = machine, .collective = algorithm.collective, .count = 3, .root = root});
        const auto request = supported_by(algorithm, asked);
        if (!request) continue;
        ++supported;
        EXPECT_EQ(fault_with_defaults(algorithm, *request), "")
            << algorithm.name << " of " << collective_name(algorithm.collective) << " on " << shape_text(machine)
            << ", root " << root;
      }
    }
    EXPECT_GT(supported, 0) << algorithm.family << ": " << algorithm.name << " of "
                            << collective_name(algorithm.collective);
  }
}

/// With random values for all parameters.
void check_at_random(const Request& asked) {
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    const Request request = sized_for(asked, algorithm.collective);
    if (algorithm.unsupported(request)) continue;
    Parameters given;
    for (const ParameterSpec& spec : algorithm.parameters) {
      given[spec.name] = *rc::gen::inRange(spec.least(request), spec.most(request) + 1);
    }
    const std::string fault = fault_of(algorithm, request, given);
    RC_LOG() << algorithm.name << ": " << fault;
    RC_ASSERT(fault.empty());
  }
}

RC_GTEST_PROP(EveryAlgorithm, IsRightForRandomLinesRootsSizesAndParameters, ()) {
  const auto length = *rc::gen::inRange(1, 70);
  const bool row = *rc::gen::arbitrary<bool>();
  check_at_random(
      reduce_request(row ? length : 1, row ? 1 : length, *rc::gen::inRange(1, 20), *rc::gen::inRange(0, length)));
}

RC_GTEST_PROP(EveryAlgorithm, IsRightForRandomGridsRootsSizesAndParameters, ()) {
  const auto width = *rc::gen::inRange(1, 9);
  const auto height = *rc::gen::inRange(1, 9);
  check_at_random(reduce_request(width, height, *rc::gen::inRange(1, 20), *rc::gen::inRange(0, width * height)));
}

TEST(EveryAlgorithm, VerifiesOnAFullRowOfAWafer) {
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    const Request request = sized_for(reduce_request(750, 1, 4096, 333), algorithm.collective);
    if (algorithm.unsupported(request)) continue;
    const Schedule schedule = algorithm.make(request, complete_parameters(algorithm, request, {}));
    if (schedule.steps.size() > 10'000) continue;  // those that are quadratic in the row's length take seconds
    const Verdict verdict = verify(schedule, request.machine);
    EXPECT_TRUE(verdict.verified()) << algorithm.name << ": " << verdict.counterexample->message;
  }
}

TEST(TwoPhase, AddsGroupsFromTheFarEndAndTheirLeadersInAChain) {
  const Request request = reduce_request(7, 1, 1);
  const Schedule schedule =
      find_algorithm(Collective::reduce, "mesh", "two-phase").make(request, Parameters{{"group", 3}});
  EXPECT_EQ(order_of_additions(schedule, 0, 0), "(x0 + ((x1 + (x2 + x3)) + (x4 + (x5 + x6))))");
}

TEST(Tree, AddsNearerSubtreesFirst) {
  const Request request = reduce_request(6, 1, 1);
  const Schedule schedule = find_algorithm(Collective::reduce, "mesh", "tree").make(request, {});
  EXPECT_EQ(order_of_additions(schedule, 0, 0), "(((x0 + x1) + (x2 + x3)) + (x4 + x5))");
}

TEST(Snake, AddsRowAfterRowEveryOtherOneBackwards) {
  const Request request = reduce_request(3, 2, 1);
  const Schedule schedule = find_algorithm(Collective::reduce, "mesh", "snake").make(request, {});
  EXPECT_EQ(order_of_additions(schedule, 0, 0), "(x0 + (x1 + (x2 + (x5 + (x4 + x3)))))");
  const Request inside = reduce_request(3, 2, 1, 1);
  EXPECT_EQ(order_of_additions(find_algorithm(Collective::reduce, "mesh", "snake").make(inside, {}), 1, 0),
            "((x1 + x0) + (x2 + (x5 + (x4 + x3))))");
}

TEST(XY, AddsRowsThenTheRootsColumn) {
  const Request request = reduce_request(3, 2, 1, 4);
  const Schedule schedule = find_algorithm(Collective::reduce, "mesh", "xy-chain").make(request, {});
  EXPECT_EQ(order_of_additions(schedule, 4, 0), "(((x4 + x3) + x5) + ((x1 + x0) + x2))");
}

TEST(RingFolded, SendsNoFartherThanTwoHops) {
  for (const std::int32_t length : {2, 3, 8, 9}) {
    Request request = reduce_request(length, 1, 20);
    request.collective = Collective::allreduce;
    const Schedule schedule = find_algorithm(Collective::allreduce, "mesh", "ring-folded").make(request, {});
    for (const Stream& stream : schedule.streams) {
      EXPECT_LE(std::abs(stream.source - schedule.sinks_of(stream)[0]), 2);
    }
  }
}

TEST(Ring, LeavesOutEmptyChunks) {
  Request request = reduce_request(8, 1, 3);
  request.collective = Collective::allreduce;
  const Schedule schedule = find_algorithm(Collective::allreduce, "mesh", "ring").make(request, {});
  EXPECT_EQ(schedule.streams.size(), 3U * 2 * 7) << "three chunks of one word, each over 14 hops of the ring";
}

TEST(Flood, IsOneMulticastStream) {
  const Request request = broadcast_request(5, 4, 3, 7);
  const Schedule schedule = find_algorithm(Collective::broadcast, "mesh", "flood").make(request, {});
  ASSERT_EQ(schedule.streams.size(), 1U);
  EXPECT_EQ(schedule.sinks_of(schedule.streams[0]).size(), 19U);
}

}  // namespace
}  // namespace muster
