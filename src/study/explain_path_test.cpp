// Explanations by the critical path of a simulator, on reducing switches.
#include <gtest/gtest.h>

#include "machine/hyperx.h"
#include "machine/machine.h"
#include "plan/plan_test_support.h"
#include "study/explain.h"

namespace muster {
namespace {

Job switches_job(std::int64_t count) {
  return {.machine = with_nodes(shipped_machine("piuma"), 1), .collective = Collective::allreduce, .count = count};
}

double sum_of_parts(const ExplainedPlan& plan) {
  double sum = 0;
  for (const ExplainedFigure& figure : plan.figures) sum += std::get<Seconds>(*figure.value).value();
  return sum;
}

TEST(ExplainPath, DividesTheSimulatedTimeOfBothPlans) {
  const ExplainAnswer answer = explain(switches_job(64), std::nullopt);
  EXPECT_EQ(answer.chosen.candidate.algorithm, "in-network");
  ASSERT_TRUE(answer.other);
  EXPECT_TRUE(answer.chosen_is_best);
  for (const ExplainedPlan* plan : {&answer.chosen, &*answer.other}) {
    EXPECT_NEAR(sum_of_parts(*plan), plan->candidate.simulated_seconds->value(), 1e-15);
    ASSERT_FALSE(plan->path.empty());
    EXPECT_EQ(plan->path.front().begin, Ticks(0));
    EXPECT_NEAR(static_cast<double>(plan->path.back().end.value()), plan->candidate.simulated_seconds->value() * 1e12,
                1);
    EXPECT_LE(plan->path.size(), 20U);
  }
}

TEST(ExplainPath, NamesWhatDecides) {
  EXPECT_EQ(explain(switches_job(1), std::nullopt).bottleneck.find("latency is the bottleneck: "), 0U);
  EXPECT_EQ(explain(switches_job(100'000), std::nullopt).bottleneck.find("memory is the bottleneck: 99."), 0U);
}

TEST(ExplainPath, SaysWhatHostsLose) {
  const Job job = switches_job(1);
  const ExplainAnswer answer = explain(job, choose(job, "recursive-doubling", {}));
  EXPECT_FALSE(answer.chosen_is_best);
  EXPECT_EQ(answer.bottleneck.find("software is the bottleneck: "), 0U) << answer.bottleneck;
  EXPECT_NE(answer.loss.find("most of it is lost on software"), std::string::npos) << answer.loss;
}

}  // namespace
}  // namespace muster
