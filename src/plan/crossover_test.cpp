#include "plan/crossover.h"

#include <gtest/gtest.h>

#include "plan/candidates.h"
#include "plan/testing.h"

namespace muster {
namespace {

std::string best_at(Job job, std::int64_t count) {
  job.count = count;
  return candidates_for(request_of(job)).offered.front().choice.algorithm->name;
}

TEST(Crossover, IsWhereThePredictedBestChanges) {
  const Job job = wafer_job(Collective::reduce, 512, 1, 256);
  const Reign reign = reign_of_best(job);
  EXPECT_EQ(reign.best, "two-phase");
  EXPECT_EQ(best_at(job, reign.first), reign.best);
  EXPECT_EQ(best_at(job, reign.last), reign.best);
  ASSERT_TRUE(reign.below && reign.above);
  EXPECT_EQ(best_at(job, reign.first - 1), *reign.below);
  EXPECT_EQ(best_at(job, reign.last + 1), *reign.above);
  EXPECT_EQ(*reign.above, "chain");
}

TEST(Crossover, OfChainAndTwoPhaseIsTheOneOfTheFormulas) {
  // P = 512, S = 23: the chain ends at B + 3,066. Two-phase has 22 groups of 23 and one of 6 at the root: its edges are
  // 22 x 22 + 5 hops within groups and 21 x 23 + 6 between leaders, 978 together, its depth is 22 + 22. So it ends at
  // 978 B / 512 + 512 + 220, and the two meet at 2,564 words.
  const Job job = wafer_job(Collective::reduce, 512, 1, 2000);
  EXPECT_EQ(reign_of_best(job).last, 2563);
}

TEST(Crossover, IsToldInOneSentence) {
  const Job job = wafer_job(Collective::reduce, 512, 1, 256);
  const std::string text = crossover_text(job);
  EXPECT_EQ(text.find("by prediction, chain takes over from 2,564 elements on, "), 0U) << text;
  EXPECT_EQ(crossover_text(wafer_job(Collective::broadcast, 8, 1, 4)), "no crossover: there is only one algorithm");
  EXPECT_EQ(crossover_text(wafer_job(Collective::reduce, 4, 4, 4)), "");
}

TEST(Crossover, IsDeniedWhereOneAlgorithmIsBestForEveryVector) {
  const std::string text = crossover_text(wafer_job(Collective::reduce, 2, 1, 64));
  EXPECT_NE(text.find("is best for every vector up to the "), std::string::npos) << text;
}

}  // namespace
}  // namespace muster
