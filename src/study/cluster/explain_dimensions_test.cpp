#include <gtest/gtest.h>

#include "base/error.h"
#include "plan/plan_test_support.h"
#include "study/explain.h"

namespace muster {
namespace {

Job example() {
  return {.machine = shipped_machine("themis-example"), .collective = Collective::allreduce, .count = 64'000'000};
}

TEST(ExplainDimensions, DividesTheTimeOfEveryDimension) {
  const Job job = example();
  const ExplainAnswer answer = explain(job, choose(job, "hierarchical", {{"chunks", 4}}));
  EXPECT_EQ(answer.chosen.critical, 0U);
  ASSERT_EQ(answer.chosen.resources.size(), 2U);
  const ExplainedResource& second = answer.chosen.resources[1];  // Figure 5.a: from 1 ms to 5 ms
  EXPECT_NEAR(second.idle->before.value(), 1e-3, 1e-12);
  EXPECT_NEAR(second.busy.value(), 4e-3, 1e-12);
  EXPECT_NEAR(second.idle->between.value(), 0, 1e-12);
  EXPECT_NEAR(second.idle->after.value(), 3e-3, 1e-12);
  EXPECT_EQ(second.bytes, Bytes(std::int64_t{16} * 4 * 2 * 12'000'000));
}

TEST(ExplainDimensions, NamesTheBetterPlanAndWhatIsLost) {
  const Job job = example();
  const ExplainAnswer answer = explain(job, choose(job, "hierarchical", {{"chunks", 4}}));
  EXPECT_FALSE(answer.chosen_is_best);
  ASSERT_TRUE(answer.other);
  EXPECT_EQ(answer.other->candidate.algorithm, "balanced");
  EXPECT_EQ(answer.bottleneck, "dimension 1 is busiest: 100.0% of the time of hierarchical");
  EXPECT_EQ(answer.why.find("balanced wins because it uses"), 0U) << answer.why;
  EXPECT_EQ(answer.loss,
            "hierarchical takes 1000.000 us longer: its busiest dimension, dimension 1, sends 1000.000 us longer than "
            "dimension 2 does for balanced, and is idle as long");
}

TEST(ExplainDimensions, ExplainsTheWinnerWhereNothingIsNamed) {
  const ExplainAnswer answer = explain(example(), std::nullopt);
  EXPECT_EQ(answer.chosen.candidate.algorithm, "balanced");
  EXPECT_TRUE(answer.chosen_is_best);
  ASSERT_TRUE(answer.bound);
}

TEST(ExplainDimensions, SaysWhyNothingFits) {
  Job job = example();
  job.collective = Collective::allgather;
  job.count = 17;
  EXPECT_THROW((void)explain(job, std::nullopt), std::exception);
}

}  // namespace
}  // namespace muster
