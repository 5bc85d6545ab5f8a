#include "plan/candidates.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace muster
