#include "study/sweep.h"

#include <gtest/gtest.h>

#include <tuple>

#include "plan/plan_test_support.h"
#include "study/plan.h"

namespace muster {
namespace {

SweepRequest reduces(std::vector<std::int32_t> rows, std::vector<std::int64_t> counts) {
  SweepRequest request;
  for (const std::int32_t pes : rows) {
    for (const std::int64_t count : counts) request.jobs.push_back(wafer_job(Collective::reduce, pes, 1, count));
  }
  return request;
}

using Told = std::tuple<std::vector<std::int64_t>, std::int64_t, std::string, std::int64_t, std::int64_t, std::string>;

/// Everything that a sweep says of its candidates, in order.
std::vector<Told> lines_of(const SweepAnswer& answer) {
  std::vector<Told> lines;
  for (const SweepSize& size : answer.sizes) {
    for (const CandidateAnswer& candidate : size.candidates) {
      lines.emplace_back(size.question.shape.sizes, size.question.count, candidate.algorithm,
                         candidate.predicted_cycles->value(), candidate.simulated_cycles.value_or(Ticks(-1)).value(),
                         size.best);
    }
  }
  return lines;
}

TEST(Sweep, HasEverySizeInTheOrderOfAsking) {
  SweepRequest request = reduces({16, 4}, {8, 1});
  request.algorithms = {"tree", "chain"};
  const SweepAnswer answer = sweep(request);
  EXPECT_EQ(answer.algorithms, request.algorithms);
  ASSERT_EQ(answer.sizes.size(), 4U);
  EXPECT_EQ(answer.sizes[1].question.shape.sizes, (std::vector<std::int64_t>{16, 1}));
  EXPECT_EQ(answer.sizes[1].question.count, 1);
  for (const SweepSize& size : answer.sizes) {
    ASSERT_EQ(size.candidates.size(), 2U);
    EXPECT_EQ(size.candidates[0].algorithm, "tree");
    EXPECT_EQ(size.candidates[1].algorithm, "chain");
  }
}

TEST(Sweep, IsTheSameOnAnyNumberOfThreads) {
  SweepRequest request = reduces({2, 5, 16}, {1, 7, 64});
  request.simulate = true;
  request.threads = 1;
  const auto alone = lines_of(sweep(request));
  request.threads = 5;
  EXPECT_EQ(lines_of(sweep(request)), alone);
}

TEST(Sweep, SaysWhatPlanSays) {
  SweepRequest request = reduces({9}, {33});
  request.simulate = true;
  const SweepAnswer answer = sweep(request);
  const PlanAnswer planned = plan(request.jobs[0], {.simulate_all = true});
  ASSERT_EQ(answer.sizes[0].candidates.size(), planned.candidates.size());
  EXPECT_EQ(answer.sizes[0].best, planned.candidates[0].algorithm);
  EXPECT_EQ(answer.sizes[0].bound->cycles, planned.bounds[0].cycles);
  for (const CandidateAnswer& expected : planned.candidates) {
    const auto same = [&](const CandidateAnswer& candidate) { return candidate.algorithm == expected.algorithm; };
    const auto& all = answer.sizes[0].candidates;
    const auto found = std::find_if(all.begin(), all.end(), same);
    ASSERT_NE(found, all.end());
    EXPECT_EQ(found->simulated_cycles, expected.simulated_cycles);
    EXPECT_EQ(found->predicted_cycles, expected.predicted_cycles);
  }
}

TEST(Sweep, SimulatesOnlyWhenAskedAndWithinTheBudget) {
  SweepRequest request = reduces({8}, {4, 400});
  request.algorithms = {"chain"};
  EXPECT_FALSE(sweep(request).sizes[0].candidates[0].simulated_cycles);
  request.simulate = true;
  for (Job& job : request.jobs) {
    job.engine = Engine::cycle;
    job.hop_budget = 1000;
  }
  const SweepAnswer answer = sweep(request);
  EXPECT_TRUE(answer.sizes[0].candidates[0].simulated_cycles);
  EXPECT_FALSE(answer.sizes[1].candidates[0].simulated_cycles);
  EXPECT_EQ(answer.sizes[1].candidates[0].note, "not simulated: more hops than the budget of 1,000");
  for (Job& job : request.jobs) {
    job.engine = Engine::automatic;
    job.transit_budget = 7;
  }
  EXPECT_EQ(sweep(request).sizes[1].candidates[0].note,
            "not simulated: its messages cross more routers than the budget of 7");
}

TEST(Sweep, LeavesOutSimulationsThatAreNotWanted) {
  SweepRequest request = reduces({8}, {4});
  request.algorithms = {"chain", "star"};
  request.simulate = true;
  request.unsimulated = {"star"};
  const SweepAnswer answer = sweep(request);
  EXPECT_TRUE(answer.sizes[0].candidates[0].simulated_cycles);
  EXPECT_FALSE(answer.sizes[0].candidates[1].simulated_cycles);
  request.longest = Ticks(10);
  EXPECT_FALSE(sweep(request).sizes[0].candidates[0].simulated_cycles);
}

TEST(Sweep, SkipsSizesThatAnAlgorithmDoesNotSupport) {
  SweepRequest request = reduces({8}, {4});
  request.jobs.push_back(wafer_job(Collective::reduce, 3, 3, 4));
  request.algorithms = {"chain"};
  const SweepAnswer answer = sweep(request);
  EXPECT_EQ(answer.sizes[0].best, "chain");
  ASSERT_EQ(answer.sizes[1].skipped.size(), 1U);
  EXPECT_EQ(answer.sizes[1].skipped[0].algorithm, "chain");
  EXPECT_EQ(answer.sizes[1].best, "");
}

TEST(Sweep, GivesParametersToWhoHasThemAndSkipsWhereTheyDoNotFit) {
  SweepRequest request = reduces({16, 4}, {8});
  request.algorithms = {"two-phase", "chain"};
  request.given.assign(2, {{"group", 10}});
  const SweepAnswer answer = sweep(request);
  ASSERT_EQ(answer.sizes[0].candidates.size(), 2U);
  EXPECT_EQ(answer.sizes[0].candidates[0].parameters.at("group").number, 10);
  ASSERT_EQ(answer.sizes[1].candidates.size(), 1U);
  EXPECT_EQ(answer.sizes[1].candidates[0].algorithm, "chain");
  ASSERT_EQ(answer.sizes[1].skipped.size(), 1U);
  EXPECT_EQ(answer.sizes[1].skipped[0].reason, "group: 10 is out of range; use 1 to 4");
  request.algorithms = {"star", "chain"};
  EXPECT_EQ(rejection([&] { sweep(request); }), "parameters: star takes none, got 'group'; leave it out");
}

TEST(Sweep, RefusesANamedAlgorithmThatFitsNowhere) {
  SweepRequest request;
  request.jobs.push_back(wafer_job(Collective::reduce, 3, 3, 4));
  request.algorithms = {"chain"};
  EXPECT_EQ(rejection([&] { sweep(request); }).substr(0, 50), "algorithm: chain supports none of these sizes: nee");
  request.algorithms = {"chian"};
  EXPECT_EQ(rejection([&] { sweep(request); }).substr(0, 39), "algorithm: unknown algorithm 'chian' fo");
}

/// The real stages, but chain computes something wrong.
Outcome<Run> run_with_wrong_chain(const Job& job, const Schedule& schedule, const RunOptions& options) {
  Outcome<Run> outcome = run_stages(job, schedule, options);
  if (options.name != "chain") return outcome;
  Run broken = outcome.value();
  broken.comparison.difference = "element 3 is wrong";
  return broken;
}

TEST(Sweep, NeverCallsAFailureBest) {
  SweepRequest request = reduces({8}, {4});
  request.algorithms = {"chain", "star"};
  request.simulate = true;
  const SweepAnswer answer = sweep(request, run_with_wrong_chain);
  EXPECT_TRUE(answer.failed);
  EXPECT_TRUE(answer.sizes[0].candidates[0].failed);
  EXPECT_EQ(answer.sizes[0].candidates[0].note, "wrong result: element 3 is wrong");
  EXPECT_EQ(answer.sizes[0].best, "star");
}

}  // namespace
}  // namespace muster
