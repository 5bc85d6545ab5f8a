#include "plan/candidates.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "plan/job.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

/// Of every algorithm that supports the job.
void expect_same_parameters(const Job& job) {
  for (const Candidate& candidate : candidates_for(request_of(job)).offered) {
    const std::string& name = candidate.choice.algorithm->name;
    EXPECT_EQ(choose(job, name, {}).parameters, candidate.choice.parameters) << name;
  }
}

TEST(Choose, TakesTheParametersThatPlanTakes) {
  expect_same_parameters(wafer_job(Collective::allreduce, 24, 16, 40));
  expect_same_parameters(wafer_job(Collective::reduce, 64, 1, 300));
}

TEST(Choose, MeetsInTheMiddleWhereThatIsFaster) {
  const Job job = wafer_job(Collective::allreduce, 24, 16, 4);
  EXPECT_EQ(choose(job, "xy-chain-flood", {}).parameters.at("root"), 8 * 24 + 12);
  EXPECT_EQ(choose(job, "xy-chain-flood", {{"root", 3}}).parameters.at("root"), 3) << "what is given stays";
  EXPECT_EQ(choose_with_defaults(job, "xy-chain-flood", {}).parameters.at("root"), 0);
}

TEST(Choose, RefusesParametersThatDoNotExist) {
  const Job job = wafer_job(Collective::reduce, 8, 1, 4);
  EXPECT_NE(rejection([&] { choose(job, "two-phase", {{"gruop", 4}}); }).find("group"), std::string::npos);
}

/// The reference: all of them predicted.
RC_GTEST_PROP(Candidates, AreLikelyWithTheBestPredictionOfAll, ()) {
  const auto collective = *rc::gen::element(Collective::reduce, Collective::allreduce);
  const Job job = wafer_job(collective, *rc::gen::inRange(1, 60), *rc::gen::inRange(1, 20),
                            std::int64_t{1} << *rc::gen::inRange(0, 12));
  const std::vector<Candidate> offered = candidates_for(request_of(job)).offered;
  std::set<std::string> names;
  for (const Candidate& candidate : offered) {
    if (*rc::gen::inRange(0, 4) > 0) names.insert(candidate.choice.algorithm->name);
  }
  const auto named = std::ranges::find_if(
      offered, [&](const Candidate& candidate) { return names.contains(candidate.choice.algorithm->name); });
  const std::string favorite = names.empty() ? "" : *names.begin();
  const std::vector<Candidate> likely =
      likely_candidates(request_of(job), names, favorite, [](Ticks least, Ticks best) { return least > best; });
  RC_ASSERT(likely.empty() == (named == offered.end()));
  if (likely.empty()) return;
  RC_ASSERT(likely.front().choice.algorithm == named->choice.algorithm);
  RC_ASSERT(likely.front().predicted == named->predicted);
  RC_ASSERT(std::ranges::any_of(
      likely, [&](const Candidate& candidate) { return candidate.choice.algorithm->name == favorite; }));
}

}  // namespace
}  // namespace muster
