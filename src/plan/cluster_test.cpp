#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/plan.h"
#include "plan/ranking.h"

namespace muster {
namespace {

Cluster small_cluster() {
  Cluster cluster;
  const auto dimensions = *rc::gen::inRange(1, 4);
  for (int d = 0; d < dimensions; ++d) {
    cluster.dimensions.push_back(
        {.kind = *rc::gen::element(Cluster::Kind::ring, Cluster::Kind::fully_connected, Cluster::Kind::switched),
         .size = *rc::gen::inRange<std::int32_t>(2, 6),
         .link_bandwidth = BytesPerSecond(static_cast<double>(*rc::gen::inRange(1, 100)) * 1e9),
         .links = *rc::gen::inRange(1, 4),
         .latency = Seconds(static_cast<double>(*rc::gen::inRange(0, 2000)) * 1e-9)});
  }
  cluster.buffer_chunks = 2;
  cluster.accounting = *rc::gen::element(Cluster::Accounting::paper, Cluster::Accounting::astra);
  return cluster;
}

RC_GTEST_PROP(ClusterPlan, TakesWhatIsPredictedToThePicosecondAndComputesTheReference, ()) {
  Job job;
  job.machine = Machine{.name = "small", .summary = "", .network = small_cluster()};
  job.collective = Collective::allreduce;
  job.count = *rc::gen::inRange<std::int64_t>(1, 300);
  job.arithmetic = {.type = *rc::gen::element(ElementType::f32, ElementType::i32, ElementType::f16)};
  const PlanAnswer answer = plan(job);
  RC_ASSERT(answer.candidates.size() == 3U);
  RC_ASSERT(answer.verified && answer.result_computed && answer.result_correct && !answer.failed);
  for (const CandidateAnswer& one : answer.candidates) {
    RC_ASSERT(one.simulated_seconds.has_value());
    RC_ASSERT(*one.simulated_seconds == one.predicted_seconds);
    RC_ASSERT(*one.simulated_seconds >= answer.bounds.front().seconds);
    RC_ASSERT(!one.predicted_cycles && !one.simulated_cycles);
  }
  for (const CandidateAnswer& one : answer.candidates) {
    if (one.algorithm == "balanced") RC_ASSERT(one.simulated_seconds == answer.candidates.front().simulated_seconds);
  }
}

}  // namespace
}  // namespace muster
