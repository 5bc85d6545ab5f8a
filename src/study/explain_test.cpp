#include "study/explain.h"

#include <gtest/gtest.h>

#include "plan/plan_test_support.h"
#include "study/plan.h"

namespace muster {
namespace {

/// A number of a plan; -1: it has none.
std::int64_t number_of(const ExplainedPlan& plan, const std::string& key) {
  for (const ExplainedFigure& figure : plan.figures) {
    if (figure.key == key && figure.value) return std::get<std::int64_t>(*figure.value);
  }
  return -1;
}

BusyResource resource_of(const ExplainedPlan& plan, const std::string& key) {
  for (const ExplainedFigure& figure : plan.figures) {
    if (figure.key == key) return std::get<BusyResource>(*figure.value);
  }
  return {};
}

TEST(Explanation, ComparesTheWinnerWithTheRunnerUp) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 200);
  const PlanAnswer planned = plan(job);
  const ExplainAnswer answer = explain(job, std::nullopt);
  EXPECT_EQ(answer.chosen.candidate.algorithm, planned.candidates[0].algorithm);
  ASSERT_TRUE(answer.other);
  EXPECT_EQ(answer.other->candidate.algorithm, planned.candidates[1].algorithm);
  EXPECT_TRUE(answer.chosen_is_best);
  EXPECT_EQ(answer.why, planned.why);
  EXPECT_EQ(answer.bound->cycles, planned.bounds[0].cycles);
}

TEST(Explanation, AddsUpToTheSimulatedTime) {
  const ExplainAnswer answer = explain(wafer_job(Collective::reduce, 64, 1, 200), std::nullopt);
  for (const ExplainedPlan* plan : {&answer.chosen, &*answer.other}) {
    EXPECT_EQ(number_of(*plan, "path_words") + number_of(*plan, "path_hops") + number_of(*plan, "path_ramps") +
                  number_of(*plan, "waiting_cycles"),
              plan->candidate.simulated_cycles->value());
    EXPECT_EQ(plan->path.back().end.value(), number_of(*plan, "path_cycles"));
    EXPECT_LE(plan->path.size(), 20U);
  }
}

TEST(Explanation, OfANamedAlgorithmComparesItWithTheBest) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 200);
  const std::string best = plan(job).candidates[0].algorithm;
  const ExplainAnswer answer = explain(job, choose(job, "star", {}));
  EXPECT_EQ(answer.chosen.candidate.algorithm, "star");
  EXPECT_EQ(answer.other->candidate.algorithm, best);
  EXPECT_FALSE(answer.chosen_is_best);
  EXPECT_EQ(answer.why.rfind(best + " wins", 0), 0U) << answer.why;
  EXPECT_NE(answer.loss.find("star takes"), std::string::npos) << answer.loss;
  EXPECT_EQ(resource_of(answer.chosen, "busiest_port").name, "into PE (0,0)");
  EXPECT_EQ(resource_of(answer.chosen, "busiest_port").words, 63 * 200);
  EXPECT_EQ(number_of(answer.chosen, "contention"), 63 * 200);
  EXPECT_EQ(number_of(answer.chosen, "depth"), 1);
  EXPECT_EQ(number_of(answer.chosen, "distance"), 63);
}

TEST(Explanation, TakesParametersOfItsOwn) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 200);
  const ExplainAnswer answer = explain(job, choose(job, "two-phase", {{"group", 4}}));
  EXPECT_EQ(answer.chosen.candidate.parameters.at("group"), 4);
  EXPECT_EQ(number_of(answer.chosen, "depth"), 3 + 15);
  EXPECT_NE(answer.other->candidate.algorithm, "two-phase");
}

TEST(Explanation, OfTheOnlyAlgorithmHasNoOther) {
  const ExplainAnswer answer = explain(wafer_job(Collective::broadcast, 16, 1, 5), std::nullopt);
  EXPECT_FALSE(answer.other);
  EXPECT_EQ(answer.why, "flood is the only algorithm that fits");
}

TEST(Explanation, OfWhatIsTooLargeToSimulateHasPredictions) {
  Job job = wafer_job(Collective::reduce, 64, 1, 200);
  job.transit_budget = 1;
  const ExplainAnswer answer = explain(job, std::nullopt);
  EXPECT_EQ(number_of(answer.chosen, "waiting_cycles"), -1);
  EXPECT_FALSE(answer.chosen.candidate.simulated_cycles);
  EXPECT_FALSE(answer.loss.empty());
}

}  // namespace
}  // namespace muster
