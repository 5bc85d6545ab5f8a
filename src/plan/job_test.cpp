#include "plan/job.h"

#include <gtest/gtest.h>

#include "base/counted.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"
#include "machine/test_hyperx.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

std::string check(const Job& job) {
  return rejection([&] { check_job(job); });
}

TEST(Job, NeedsAVector) {
  EXPECT_EQ(check(wafer_job(Collective::reduce, 8, 1, 0)), "count: 0 is too small; use 1 or more elements");
  EXPECT_EQ(check(wafer_job(Collective::reduce, 8, 1, 1)), "accepted");
}

TEST(Job, NeedsARootOnTheMachine) {
  EXPECT_EQ(check(wafer_job(Collective::reduce, 8, 1, 4, 8)), "root: 8 is not a rank of wse2 (8x1); use 0 to 7");
  EXPECT_EQ(check(wafer_job(Collective::reduce, 8, 1, 4, -1)), "root: -1 is not a rank of wse2 (8x1); use 0 to 7");
  EXPECT_EQ(check(wafer_job(Collective::reduce, 8, 1, 4, 7)), "accepted");
}

TEST(Job, NeedsAVectorThatFitsTheMemoryBesideAProgram) {
  for (const auto& [collective, copies] : {std::pair{Collective::reduce, 1}, {Collective::allgather, 2}}) {
    Job job = wafer_job(collective, 8, 1, 1);
    const std::int64_t most = largest_count(job);
    EXPECT_EQ(most, (as<Mesh>(job.machine)->memory.value() - 5 * 1024) / (4 * copies));
    job.count = most;
    EXPECT_EQ(check(job), "accepted");
    job.count = most + 1;
    const std::string message = check(job);
    EXPECT_NE(message.find("use at most " + grouped(most)), std::string::npos) << message;
    job.arithmetic.type = ElementType::f16;
    EXPECT_EQ(largest_count(job), 2 * most);
    EXPECT_EQ(check(job), "accepted");
  }
}

TEST(Job, WorksInPlaceWhereInputAndOutputDoNotFit) {
  Job job = wafer_job(Collective::reduce, 8, 1, 5504);
  EXPECT_FALSE(works_in_place(job));
  job.count = 5505;
  EXPECT_TRUE(works_in_place(job));
  job.collective = Collective::allgather;
  EXPECT_FALSE(works_in_place(job)) << "blocks move: there is no place that is the same before and after";
}

TEST(Job, InPlaceIsRightForEveryAlgorithmThatMayHaveTo) {
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    for (const auto& [width, height] : {std::pair{7, 1}, {4, 3}}) {
      Job job = wafer_job(algorithm.collective, width, height, 8192);
      if (algorithm.unsupported(request_of(job)) || !works_in_place(job)) continue;
      const Schedule schedule = make_schedule(job, algorithm, complete_parameters(algorithm, request_of(job), {}));
      const Verdict verdict = verify(schedule, job.machine);
      EXPECT_TRUE(verdict.verified()) << algorithm.name << ": " << verdict.counterexample->message;
    }
  }
}

TEST(Job, NeedsSensibleCallsAndChannels) {
  Job job = wafer_job(Collective::reduce, 8, 1, 4);
  job.calls = 0;
  EXPECT_EQ(check(job), "calls: 0 is too small; use 1 or more");
  job.calls = 1;
  job.options.of<MeshOptions>().reserved_colors = -1;
  EXPECT_EQ(check(job), "reserved colors: -1 is negative; use 0 or more");
}

TEST(Job, NeedsGroupsOfNodesThatAreThereAndARootInOne) {
  Job job{.machine = test_hyperx({4, 4}), .collective = Collective::broadcast, .count = 8};
  job.options.of<HyperXOptions>().groups = {{4, 5, 6, 7}};
  EXPECT_EQ(check(job),
            "group: broadcast has its root, core 0, in node 0, which does not participate; use a root in the group, "
            "e.g. 512");
  job.root = 4 * 128;
  EXPECT_EQ(check(job), "accepted");
  job.options.of<HyperXOptions>().groups = {{4, 16}};
  EXPECT_EQ(check(job), "group: broadcast has no node 16 (in group 0), only 0 to 15");
  job.options.of<HyperXOptions>().groups = {{4}, {5}};
  EXPECT_EQ(check(job), "group: broadcast has one root and 2 groups; use one group");
  job.collective = Collective::allreduce;
  EXPECT_EQ(check(job), "accepted");
  job.options.of<HyperXOptions>().groups = {{4, 5}, {5}};
  EXPECT_EQ(check(job),
            "group: allreduce has node 5 in groups 0 and 1, which would share its links, e.g. from core 640 to its "
            "switch; name each node in one group only");
  job.options.of<HyperXOptions>().groups = {};
  as<HyperX>(job.machine)->failed_nodes = {0};
  EXPECT_EQ(check(job), "accepted");
  job.collective = Collective::reduce;
  job.root = 5;
  EXPECT_EQ(
      check(job),
      "group: reduce has its root, core 5, in node 0, which does not participate; use a root in the group, e.g. 128");
}

TEST(Job, CountsWordsForTheAlgorithms) {
  Job job = wafer_job(Collective::reduce, 8, 1, 7);
  EXPECT_EQ(request_of(job).count, 7);
  job.arithmetic.type = ElementType::f16;
  EXPECT_EQ(request_of(job).count, 4);
}

}  // namespace
}  // namespace muster
