#include <gtest/gtest.h>

#include "plan/plan.h"
#include "plan/plan_test_support.h"
#include "schedule/text.h"

namespace muster {
namespace {

TEST(Emission, OfTheTargetScheduleIsATextThatVerifies) {
  const Job job = wafer_job(Collective::reduce, 9, 1, 5, 4);
  const Emission emission = emit(job, choose(job, "tree", {}), {.target = "schedule"});
  ASSERT_EQ(emission.files.size(), 1U);
  EXPECT_EQ(emission.files[0].name, "schedule.json");
  EXPECT_EQ(emission.summary, "9 nodes, 8 streams, 14 steps");
  const Schedule read = parse_schedule(emission.files[0].text, emission.files[0].name);
  const VerifyAnswer answer = verify_schedule(read, job.machine, {});
  EXPECT_TRUE(answer.verified);
  EXPECT_EQ(answer.nodes, 9);
  EXPECT_EQ(answer.streams, 8);
}

TEST(Emission, OfABackendsTargetHasFilesAndASummary) {
  const Job job = wafer_job(Collective::reduce, 9, 1, 5);
  const Emission emission = emit(job, choose(job, "chain", {}), {.target = "csl", .command = "muster", .elements = 5});
  EXPECT_FALSE(emission.files.empty());
  EXPECT_FALSE(emission.summary.empty());
}

TEST(Emission, OfAScheduleFromElsewhereIsTheSameCode) {
  const Job job = wafer_job(Collective::reduce, 9, 1, 5, 4);
  const Choice chain = choose(job, "chain", {});
  const Schedule schedule = chain.algorithm->make(request_of(job), chain.parameters);
  const EmitOptions options{.target = "csl", .command = "muster", .elements = 5};
  const Emission ours = emit(job, chain, options);
  const Emission theirs = emit(job, schedule, options);
  ASSERT_EQ(theirs.files.size(), ours.files.size());
  for (std::size_t i = 0; i < ours.files.size(); ++i) EXPECT_EQ(theirs.files[i].text, ours.files[i].text);
  EXPECT_EQ(theirs.refusal, "");
}

TEST(Emission, OfAWrongScheduleIsRefusedWithoutFiles) {
  const Job job = wafer_job(Collective::reduce, 4, 1, 5);
  Schedule schedule = choose(job, "chain", {}).algorithm->make(request_of(job), {});
  schedule.contracts[0].ranks.pop_back();
  const Emission emission = emit(job, schedule, {.target = "csl", .command = "muster", .elements = 5});
  EXPECT_TRUE(emission.files.empty());
  EXPECT_FALSE(emission.refusal.empty());
}

TEST(Emission, ForAnUnknownTargetIsRejectedWithTheNearestNames) {
  const Job job = wafer_job(Collective::reduce, 9, 1, 5);
  const std::string message = rejection([&] { emit(job, choose(job, "chain", {}), {.target = "scedule"}); });
  EXPECT_EQ(message.find("target: unknown target 'scedule'; "), 0U) << message;
  EXPECT_NE(message.find("'schedule'"), std::string::npos) << message;
}

TEST(Verification, OfABrokenScheduleNamesItsKindAndLocation) {
  const Job job = wafer_job(Collective::reduce, 4, 1, 5);
  Schedule schedule = choose(job, "chain", {}).algorithm->make(request_of(job), {});
  schedule.contracts[0].ranks.pop_back();
  const VerifyAnswer answer = verify_schedule(schedule, job.machine, {});
  EXPECT_FALSE(answer.verified);
  ASSERT_TRUE(answer.counterexample);
  EXPECT_FALSE(answer.counterexample->kind.empty());
  EXPECT_FALSE(answer.counterexample->message.empty());
}

}  // namespace
}  // namespace muster
