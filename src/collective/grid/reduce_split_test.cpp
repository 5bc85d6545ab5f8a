// Split reduces: who takes how much, and that the order of steps is free of deadlock on odd shapes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "collective/algorithms.h"
#include "collective/collective_test_support.h"
#include "collective/grid/link_load.h"
#include "collective/grid/split_timetable.h"
#include "collective/grid/timed_walk.h"
#include "machine/mesh.h"
#include "schedule/interpret.h"
#include "schedule/joined_lanes.h"
#include "schedule/verify.h"

namespace muster {
namespace {

Schedule split(const Request& request, const std::string& name, const Parameters& given) {
  const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", name);
  return expand_in_lanes(algorithm.make(request, complete_parameters(algorithm, request, given)));
}

/// Words that a node takes over its port.
std::int64_t taken(const Schedule& schedule, NodeId node) {
  std::int64_t words = 0;
  for (const Lane& lane : schedule.lanes_of(node)) {
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) {
      const Step& step = schedule.steps[static_cast<std::size_t>(s)];
      for (const StreamId stream : schedule.operands_of(step)) {
        if (stream != kOwn) words += schedule.spans.count(step.elements);
      }
    }
  }
  return words;
}

TEST(SplitChain, TakesOneVectorAndTwoPartsAtTheBusiestPort) {
  const Schedule schedule = split(reduce_request(32, 8, 64), "split-chain", {{"parts", 16}});
  std::int64_t most = 0;
  for (NodeId node = 0; node < schedule.node_count; ++node) most = std::max(most, taken(schedule, node));
  EXPECT_EQ(most, 64 + 2 * 4);
  EXPECT_EQ(taken(schedule, 0), 64 + 4) << "the root takes every part once from elsewhere, and its own column's";
}

TEST(SplitTimetable, RunsNearFlowsWhileTheFirstFarFlowIsOnItsWay) {
  const SplitGrid grid{.width = 512, .height = 2, .parts = 4};
  const Machine wafer = ideal_wafer(512, 2);
  const ReductionTree chain = ReductionTree::from(512, [](std::int32_t x) { return x - 1; });
  const ReductionTree nothing({-1}), pair({-1, 0});
  const SplitTrees trees{.far = &chain, .columns = {&nothing, &pair}};
  const SplitTimetable table = split_timetable(grid, trees, 64, *as<Mesh>(wafer));
  std::vector<std::pair<SplitJob::Kind, std::int32_t>> first_jobs;
  for (std::size_t i = 0; i < 5; ++i) first_jobs.emplace_back(table.rows[1][i].kind, table.rows[1][i].part);
  using Kind = SplitJob::Kind;
  const std::vector<std::pair<Kind, std::int32_t>> expected{
      {Kind::near, 3}, {Kind::near, 2}, {Kind::near, 1}, {Kind::far, 0}, {Kind::far, 1}};
  EXPECT_EQ(first_jobs, expected);
  // 511 hops of six cycles, four parts, a hop down the column, the part itself, and three columns to the root.
  EXPECT_NEAR(static_cast<double>(table.end), 511 * 6 + 4 * 64 + 6 + 64 + 8, 10);
}

RC_GTEST_PROP(SplitReduce, NeverDeadlocksWhateverItsShapeRootAndParts, ()) {
  const auto width = *rc::gen::inRange(2, 14);
  const auto height = *rc::gen::inRange(2, 9);
  const Request request =
      reduce_request(width, height, *rc::gen::inRange(1, 200), *rc::gen::inRange(0, width * height));
  const auto name =
      *rc::gen::element<std::string>("split-chain", "split-tree", "split-star", "split-best-tree", "split-chain-trees");
  const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", name);
  const ParameterSpec& parts = algorithm.parameters.back();
  const Schedule schedule =
      split(request, name, {{"parts", *rc::gen::inRange(std::int64_t{1}, parts.most(request) + 1)}});
  const Verdict verdict = verify(schedule, request.machine);
  if (!verdict.verified()) RC_LOG() << verdict.counterexample->message;
  RC_ASSERT(verdict.verified());
}

/// The reference of the prediction, which leaves out PEs that only relay: all steps, and what the busiest link carries.
RC_GTEST_PROP(SplitReduce, IsPredictedWithoutRelaysAsWithThem, ()) {
  const auto name = *rc::gen::element<std::string>("split-chain", "split-chain-trees");
  const auto width = *rc::gen::inRange(2, 60);
  const auto height = *rc::gen::inRange(2, name == "split-chain" ? 5 : 12);  // of more, chains leave out rows
  const auto root = *rc::gen::inRange(0, width * height);
  Request request = reduce_request(width, height, *rc::gen::inRange(1, 900), root);
  Mesh& mesh = *as<Mesh>(request.machine);
  mesh.hop_latency = Cycles(*rc::gen::inRange(1, 3));
  mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 6));
  mesh.router_buffer = *rc::gen::inRange(2, 5);
  const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", name);
  const Parameters parameters = complete_parameters(
      algorithm, request,
      {{"parts", *rc::gen::inRange(std::int64_t{1}, algorithm.parameters.back().most(request) + 1)}});
  const Schedule schedule = expand_in_lanes(algorithm.make(request, parameters));
  const std::int64_t links =
      busiest_link_words(schedule, mesh) + 2 * mesh.ramp_latency.value() + mesh.hop_latency.value();
  const std::int64_t steps = walked_cycles(schedule, mesh).value().value();
  RC_ASSERT(algorithm.cost(request, parameters).value() == std::max(steps, links));
}

RC_GTEST_PROP(SplitReduce, IsNeverPredictedBelowItsLeastCost, ()) {
  const auto collective = *rc::gen::element(Collective::reduce, Collective::allreduce);
  const auto width = *rc::gen::inRange(2, 60), height = *rc::gen::inRange(2, 12);
  Request request = reduce_request(width, height, *rc::gen::inRange(1, 900), *rc::gen::inRange(0, width * height));
  request.collective = collective;
  if (collective == Collective::allreduce) request.root = 0;
  as<Mesh>(request.machine)->operation_start = Cycles(*rc::gen::inRange(0, 9));
  as<Mesh>(request.machine)->router_buffer = *rc::gen::inRange(1, 5);
  const auto name = *rc::gen::element<std::string>("split-chain", "split-chain-trees");
  const std::string suffix = collective == Collective::reduce ? "" : "-flood";
  const Algorithm& algorithm = find_algorithm(collective, "mesh", name + suffix);
  Parameters parameters = complete_parameters(algorithm, request, {});
  RC_ASSERT(algorithm.least_cost(request) <= algorithm.cost(request, parameters));
  for (const ParameterSpec& spec : algorithm.parameters) {
    if (!spec.worth_trying) continue;
    for (const std::int64_t value : spec.worth_trying(request)) {
      parameters[spec.name] = value;
      RC_ASSERT(algorithm.least_cost(request) <= algorithm.cost(request, parameters));
    }
  }
}

/// The reference of the search, which ends where predictions rise: all numbers of parts that it may try.
RC_GTEST_PROP(SplitReduce, HasThePartsThatAreBestOfAll, ()) {
  const auto width = *rc::gen::inRange(2, 40), height = *rc::gen::inRange(2, 20);
  const Request request =
      reduce_request(width, height, *rc::gen::inRange(1, 3000), *rc::gen::inRange(0, width * height));
  const auto name = *rc::gen::element<std::string>("split-chain", "split-chain-trees");
  const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", name);
  const auto cost = [&](std::int64_t parts) { return algorithm.cost(request, {{"parts", parts}}); };
  const std::int64_t most = std::min<std::int64_t>(16, algorithm.parameters.back().most(request));
  Ticks best = cost(most);
  for (const std::int64_t parts : {2, 3, 4, 6, 8, 12}) {
    if (parts < most) best = std::min(best, cost(parts));
  }
  RC_ASSERT(cost(algorithm.parameters.back().by_default(request)) == best);
}

TEST(SplitChain, IsComputedOnDemandWithAboutAVectorPerRowAtATime) {
  constexpr std::int64_t kCount = 64;
  const Schedule schedule = split(reduce_request(32, 16, kCount), "split-chain", {{"parts", 8}});
  const Arithmetic sum{ElementType::f32, Operator::sum};
  const Interpretation demand = interpret_in_order(schedule, sum, 1, RunOrder::on_demand);
  const Interpretation ready = interpret_in_order(schedule, sum, 1, RunOrder::as_ready);
  EXPECT_EQ(demand.outputs, ready.outputs);
  // Every target has an output buffer of the whole vector while its row and its column are summed.
  EXPECT_LE(demand.most_words, (8 + 3) * 16 * kCount);
}

}  // namespace
}  // namespace muster
