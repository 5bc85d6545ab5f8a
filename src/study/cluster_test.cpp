#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "machine/families.h"
#include "machine/routing.h"
#include "machine/test_clusters.h"
#include "plan/plan.h"
#include "plan/ranking.h"
#include "study/plan.h"

namespace muster {
namespace {

Cluster small_cluster(Collective collective) {
  Cluster cluster = any_reducing_cluster(4, 6);
  cluster.accounting = *rc::gen::element(Cluster::Accounting::paper, Cluster::Accounting::astra);
  if (collective == Collective::all_to_all || has_reducing_switch(cluster)) {
    cluster.accounting = Cluster::Accounting::paper;
  }
  return cluster;
}

RC_GTEST_PROP(ClusterPlan, TakesWhatIsPredictedToThePicosecondAndComputesTheReference, ()) {
  Job job;
  job.collective = *rc::gen::element(Collective::allreduce, Collective::reduce_scatter, Collective::allgather,
                                     Collective::all_to_all);
  job.machine = Machine{.name = "small", .summary = "", .network = small_cluster(job.collective)};
  job.arithmetic = {.type = *rc::gen::element(ElementType::f32, ElementType::i32, ElementType::f16)};
  job.count = *rc::gen::inRange<std::int64_t>(1, 300);
  // Short enough that the data of 125 NPUs is computed.
  if (job.collective != Collective::allreduce) job.count = (job.count / 64 + 1) * 2 * rank_count(job.machine);
  const PlanAnswer answer = plan(job);
  RC_ASSERT(answer.skipped.empty() && answer.candidates.size() >= 3U);
  const bool whole_nanoseconds = as<Cluster>(job.machine)->accounting == Cluster::Accounting::astra;
  RC_ASSERT(answer.bounds.empty() == whole_nanoseconds);
  RC_ASSERT(answer.verified && answer.result_computed && answer.result_correct && !answer.failed);
  for (const CandidateAnswer& candidate : answer.candidates) {
    RC_ASSERT(candidate.simulated_seconds.has_value());
    RC_ASSERT(*candidate.simulated_seconds == candidate.predicted_seconds);
    for (const BoundAnswer& bound : answer.bounds) RC_ASSERT(*candidate.simulated_seconds >= bound.seconds);
    RC_ASSERT(!candidate.predicted_cycles && !candidate.simulated_cycles);
  }
  for (const CandidateAnswer& candidate : answer.candidates) {
    if (candidate.algorithm == "balanced")
      RC_ASSERT(candidate.simulated_seconds == answer.candidates.front().simulated_seconds);
  }
}

TEST(ClusterPlan, GivesParametersToEveryAlgorithmThatHasThem) {
  Cluster cluster;
  for (const std::int32_t size : {4, 2}) {
    cluster.dimensions.push_back({.kind = Cluster::Kind::ring,
                                  .size = size,
                                  .link_bandwidth = BytesPerSecond(1e9),
                                  .links = 1,
                                  .latency = Seconds(0)});
  }
  Job job{.machine = {.name = "small", .summary = "", .network = cluster}, .collective = Collective::allreduce};
  job.count = 80;
  job.given = {{"chunks", 5}, {"order", 0}};
  for (const CandidateAnswer& candidate : plan(job).candidates) {
    EXPECT_EQ(candidate.parameters.at("chunks").number, 5) << candidate.algorithm;
    if (candidate.algorithm != "themis") continue;
    EXPECT_EQ(candidate.parameters.at("order").name, "fifo");
  }
  job.given = {{"chunks", 81}};
  const PlanAnswer none = plan(job);
  EXPECT_TRUE(none.candidates.empty());
  ASSERT_GE(none.skipped.size(), 3U);
  EXPECT_EQ(none.skipped[0].reason, "chunks: 81 is out of range; use 1 to 80");
  EXPECT_THROW(check_given(job), InputError) << "no algorithm can have so many";
  job.given = {{"chunks", 80}};
  EXPECT_NO_THROW(check_given(job));
}

RC_GTEST_PROP(ClusterSimulation, TakesTheSameTimeNpuByNpuAndNoLessWithASlowOne, ()) {
  Job job{.collective = *rc::gen::element(Collective::allreduce, Collective::reduce_scatter, Collective::allgather)};
  job.machine = Machine{.name = "small", .summary = "", .network = any_reducing_cluster(4, 6)};
  job.count = *rc::gen::inRange<std::int64_t>(1, 4) * rank_count(job.machine);
  const std::string name = *rc::gen::element("hierarchical", "themis", "balanced");
  const Choice choice = choose(job, name, {});
  const SimulationAnswer together = simulate(job, choice);
  RC_ASSERT(together.result.utilization < 1 + 1e-9);
  job.options = ClusterOptions{};
  RC_ASSERT(simulate(job, choice).result.seconds == together.result.seconds);
  const NodeId slow = *rc::gen::inRange<NodeId>(0, rank_count(job.machine));
  job.options = ClusterOptions{.slow = {{slow, 2.0}}};
  const SimulationAnswer slower = simulate(job, choice);
  RC_ASSERT(!slower.result.fault);
  RC_ASSERT(slower.result.seconds >= together.result.seconds);
  RC_ASSERT(slower.result.utilization < 1 + 1e-9);
}

}  // namespace
}  // namespace muster
