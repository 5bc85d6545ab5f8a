#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "machine/routing.h"
#include "plan/job.h"
#include "plan/plan.h"

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
         .links = 1,
         .latency = Seconds(1e-6)});
  }
  cluster.buffer_chunks = 2;
  return cluster;
}

RC_GTEST_PROP(Msccl, FilesOfEverySchedulerAreProvenAfterReading, ()) {
  Job job;
  job.machine = Machine{.name = "small", .summary = "", .network = small_cluster()};
  job.collective = *rc::gen::element(Collective::allreduce, Collective::reduce_scatter, Collective::allgather);
  const std::int64_t chunks = *rc::gen::inRange(1, 4);
  job.count = rank_count(job.machine) * chunks * *rc::gen::inRange<std::int64_t>(1, 3);
  const std::string algorithm = *rc::gen::element<std::string>("hierarchical", "themis", "balanced");
  const Choice choice = choose(job, algorithm, {{"chunks", chunks}});
  const Emission emission = emit(job, choice, {.target = "msccl", .command = "muster emit", .elements = job.count});
  RC_ASSERT(emission.files.size() == 1U);
  const Outcome<LiftedFiles> lifted = require_backend(job.machine)->lift(emission.files);
  RC_ASSERT(lifted && lifted.value().stuck.empty());
  RC_ASSERT(verify(lifted.value().schedule, lifted.value().machine).verified());
}

}  // namespace
}  // namespace muster
