#include "app/sharing/share.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/error.h"
#include "collective/algorithm.h"
#include "machine/cluster.h"
#include "machine/routing.h"
#include "machine/test_clusters.h"
#include "result/time_base.h"

namespace muster::sharing {
namespace {

/// Two rings of 4 NPUs at 1 GB/s, without latency.
Machine square() {
  Cluster cluster;
  for (int d = 0; d < 2; ++d) {
    Cluster::Dimension dimension;
    dimension.kind = Cluster::Kind::ring;
    dimension.size = 4;
    dimension.link_bandwidth = BytesPerSecond(1e9);
    dimension.links = 1;
    cluster.dimensions.push_back(dimension);
  }
  cluster.buffer_chunks = 2;
  return Machine{.name = "square", .summary = "", .network = cluster};
}

/// Reduce-scatter of 16,000 words in one chunk, dimension 1 first: 48,000 bytes in 48 us, then 12,000 in 12 us.
Job scattering(double begins = 0) {
  return {.collective = Collective::reduce_scatter,
          .words = 16'000,
          .algorithm = "hierarchical",
          .chunks = 1,
          .begins = Seconds(begins)};
}

double us(Seconds time) { return time.value() * 1e6; }

TEST(Share, OneJobTakesWhatItTakesAlone) {
  const SharingAnswer answer = share({.machine = square(), .jobs = {scattering()}});
  EXPECT_DOUBLE_EQ(us(answer.jobs[0].ends), 60);
  EXPECT_DOUBLE_EQ(us(answer.jobs[0].alone), 60);
  EXPECT_DOUBLE_EQ(us(answer.total), 60);
  EXPECT_DOUBLE_EQ(us(answer.in_turn), 60);
  EXPECT_DOUBLE_EQ(answer.utilization, 0.5);
}

TEST(Share, TheSecondSendsWhileTheFirstIsInItsNextDimension) {
  const SharingAnswer answer = share({.machine = square(), .jobs = {scattering(), scattering()}});
  EXPECT_DOUBLE_EQ(us(answer.jobs[0].ends), 60);
  EXPECT_DOUBLE_EQ(us(answer.jobs[1].ends), 108);
  EXPECT_DOUBLE_EQ(us(answer.in_turn), 120);
}

TEST(Share, AJobBeginsAtItsTime) {
  const SharingAnswer answer = share({.machine = square(), .jobs = {scattering(10e-6), scattering(200e-6)}});
  EXPECT_DOUBLE_EQ(us(answer.jobs[0].ends), 70);
  EXPECT_DOUBLE_EQ(us(answer.jobs[1].begins), 200);
  EXPECT_DOUBLE_EQ(us(answer.jobs[1].ends), 260);
  EXPECT_DOUBLE_EQ(us(answer.in_turn), 260);
}

TEST(Share, SmallChunksOvertakeWithScf) {
  Job small = scattering(1e-6);
  small.words = 160;
  for (const SendFirst first : {SendFirst::arrived, SendFirst::smallest}) {
    const SharingAnswer answer =
        share({.machine = square(), .jobs = {scattering(), scattering(), small}, .first = first});
    const bool overtakes = first == SendFirst::smallest;
    // Along dimension 1 it waits for the first job (48 us), or for both (96 us); along dimension 2 for whoever was before it.
    EXPECT_DOUBLE_EQ(us(answer.jobs[2].ends), overtakes ? 60.12 : 108.12) << answer.order;
  }
}

TEST(Share, NamesTheJobThatDoesNotFit) {
  Job odd = scattering();
  odd.words = 15;
  try {
    share({.machine = square(), .jobs = {scattering(), odd}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("job 2: hierarchical needs a multiple of 64 bytes, one block per NPU; the least is 64"),
              0U)
        << error.what();
  }
}

/// As `simulate` has it.
Seconds predicted_alone(const Request& request, const Job& job) {
  const Algorithm& algorithm = find_algorithm(job.collective, "cluster", job.algorithm);
  const muster::Request asked{.machine = request.machine, .collective = job.collective, .count = job.words};
  Parameters parameters;
  for (const ParameterSpec& spec : algorithm.parameters) {
    parameters[spec.name] =
        spec.name == "order" ? (request.first == SendFirst::arrived ? 0 : 1) : std::min(job.chunks, spec.most(asked));
  }
  return Seconds(static_cast<double>(algorithm.cost(asked, parameters).value()) / kPicoseconds.ticks_per_second);
}

RC_GTEST_PROP(Share, EveryJobEndsAndNoDimensionSendsTwoThingsAtOnce, ()) {
  const Machine machine{.name = "small", .summary = "", .network = any_reducing_cluster(3, 5)};
  Request request{.machine = machine, .jobs = {}};
  request.first = *rc::gen::element(SendFirst::arrived, SendFirst::smallest);
  const auto jobs = *rc::gen::inRange(1, 5);
  for (int i = 0; i < jobs; ++i) {
    request.jobs.push_back({.collective = *rc::gen::element(Collective::allreduce, Collective::reduce_scatter,
                                                            Collective::allgather, Collective::all_to_all),
                            .words = *rc::gen::inRange<std::int64_t>(1, 20) * rank_count(machine),
                            .algorithm = *rc::gen::element<std::string>("hierarchical", "themis", "balanced"),
                            .chunks = *rc::gen::inRange<std::int64_t>(1, 9),
                            .begins = Seconds(*rc::gen::inRange(0, 100) * 1e-7)});
  }
  const SharingAnswer answer = share(request);
  for (const SharedJobAnswer& job : answer.jobs) {
    RC_ASSERT(job.ends.value() > job.begins.value());
    RC_ASSERT(job.ends.value() <= answer.total.value());
    if (jobs == 1) RC_ASSERT(job.taken().value() >= job.alone.value() * (1 - 1e-9));
    if (jobs == 1) RC_ASSERT(job.taken().value() <= job.alone.value() * (1 + 1e-9));
  }
  for (std::size_t i = 0; i < request.jobs.size(); ++i) {
    RC_ASSERT(std::abs(answer.jobs[i].alone.value() - predicted_alone(request, request.jobs[i]).value()) < 1e-13);
  }
  for (const SharingAnswer::Dimension& dimension : answer.dimensions) RC_ASSERT(dimension.utilization <= 1 + 1e-9);
}

}  // namespace
}  // namespace muster::sharing
