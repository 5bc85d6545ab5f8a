#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/source_dir.h"
#include "machine/loader.h"
#include "machine/routing.h"
#include "machine/test_clusters.h"
#include "plan/job.h"
#include "plan/plan.h"

namespace muster {
namespace {

RC_GTEST_PROP(Msccl, FilesOfEverySchedulerAreProvenAfterReading, ()) {
  Job job;
  job.machine = Machine{.name = "small", .summary = "", .network = any_cluster(4, 6)};
  job.collective = *rc::gen::element(Collective::allreduce, Collective::reduce_scatter, Collective::allgather);
  const std::int64_t chunks = *rc::gen::inRange(1, 4);
  job.count = rank_count(job.machine) * chunks * *rc::gen::inRange<std::int64_t>(1, 3);
  const std::string algorithm = *rc::gen::element<std::string>("hierarchical", "themis", "balanced");
  const Choice choice = choose(job, algorithm, {{"chunks", chunks}});
  const Emission emission = emit(job, choice, {.target = "msccl", .command = "muster emit", .elements = job.count});
  RC_ASSERT(emission.files.size() == 1U);
  const LiftedFiles lifted = *reader_of("msccl").read(emission.files, nullptr, {}).lifted;
  RC_ASSERT(lifted.stuck.empty());
  RC_ASSERT(verify(lifted.schedule, lifted.machine).verified());
}

TEST(Msccl, FilesNeedNoMoreRoomOnTheirConnectionsWithMoreChunks) {
  Job job;
  job.machine = load_machine(source_dir() + "/machines/themis-example.toml");
  job.collective = Collective::allreduce;
  job.count = 512;
  for (const std::string algorithm : {"hierarchical", "themis", "balanced"}) {
    for (const std::int64_t chunks : {1, 4, 16, 32}) {
      const Choice choice = choose(job, algorithm, {{"chunks", chunks}});
      const Emission emission = emit(job, choice, {.target = "msccl", .command = "muster emit", .elements = job.count});
      const LiftedFiles lifted = *reader_of("msccl").read(emission.files, nullptr, {}).lifted;
      EXPECT_EQ(lifted.facts.back(), "terminates if every connection buffers 2 messages") << algorithm << chunks;
    }
  }
}

}  // namespace
}  // namespace muster
