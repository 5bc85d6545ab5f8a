#include "study/sensitivity.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

SensitivityRequest row_of_eight(std::int64_t count) {
  SensitivityRequest request{.job = wafer_job(Collective::reduce, 8, 1, count)};
  request.threads = 1;
  return request;
}

const SensitivityRow& row_with(const SensitivityAnswer& answer, const std::string& parameter,
                               const std::string& value) {
  const auto row = std::find_if(answer.rows.begin(), answer.rows.end(), [&](const SensitivityRow& candidate) {
    return candidate.parameter == parameter && candidate.value == value;
  });
  EXPECT_NE(row, answer.rows.end()) << parameter << " = " << value;
  return *row;
}

std::int64_t cycles_of(const SensitivityRow& row, const std::string& algorithm) {
  for (const CandidateAnswer& candidate : row.ranking) {
    if (candidate.algorithm == algorithm) return candidate.simulated_cycles->value();
  }
  return -1;
}

TEST(Sensitivity, FirstRowIsTheFilesOwnAndNoValueIsTriedTwice) {
  const SensitivityAnswer answer = sensitivity(row_of_eight(16));
  ASSERT_FALSE(answer.rows.empty());
  EXPECT_TRUE(answer.rows[0].from_file());
  EXPECT_EQ(answer.asked, answer.rows[0].ranking[0].algorithm);
  EXPECT_EQ(answer.rows.size(), 1U + 6 * 3 + 2);
  for (const SensitivityRow& row : answer.rows) {
    EXPECT_EQ(row.ranking.size(), answer.rows[0].ranking.size()) << row.parameter << " = " << row.value;
    ASSERT_TRUE(row.asked.has_value());
    EXPECT_EQ(row.ranking[*row.asked].algorithm, answer.asked);
  }
  EXPECT_FALSE(answer.failed);
}

TEST(Sensitivity, StarPaysForEveryMessageAndChainForOne) {
  const SensitivityAnswer answer = sensitivity(row_of_eight(4));
  const SensitivityRow& ideal = answer.rows[0];
  const SensitivityRow& start = row_with(answer, "processor.operation_start", "16 cycles");
  EXPECT_EQ(cycles_of(start, "star") - cycles_of(ideal, "star"), 7 * 16);
  EXPECT_EQ(cycles_of(start, "chain") - cycles_of(ideal, "chain"), 16);
  const SensitivityRow& gap = row_with(answer, "processor.receive_gap", "64 cycles");
  EXPECT_EQ(cycles_of(gap, "star") - cycles_of(ideal, "star"), 6 * 64);
  EXPECT_EQ(cycles_of(gap, "chain"), cycles_of(ideal, "chain"));
}

TEST(Sensitivity, AsksAboutTheNamedAlgorithmWithItsParameters) {
  SensitivityRequest request = row_of_eight(16);
  request.algorithm = "two-phase";
  request.given = {{"group", 2}};
  const SensitivityAnswer answer = sensitivity(request);
  EXPECT_EQ(answer.asked, "two-phase");
  for (const SensitivityRow& row : answer.rows) {
    ASSERT_TRUE(row.asked.has_value());
    EXPECT_EQ(row.ranking[*row.asked].parameters.at("group"), 2);
  }
}

TEST(Sensitivity, LeavesOutWhatIsHopelessUnlessItIsAskedAbout) {
  SensitivityRequest request = row_of_eight(4096);
  request.job.machine = with_grid(request.job.machine, 32, 1);
  const SensitivityAnswer answer = sensitivity(request);
  EXPECT_EQ(cycles_of(answer.rows[0], "star"), -1);
  ASSERT_FALSE(answer.left_out.empty());
  EXPECT_EQ(answer.left_out[0].algorithm, "star");
  request.algorithm = "star";
  EXPECT_GT(cycles_of(sensitivity(request).rows[0], "star"), 0);
}

TEST(Sensitivity, RefusesWhatCannotBeSimulated) {
  SensitivityRequest request = row_of_eight(16);
  request.job.hop_budget = 10;
  EXPECT_EQ(rejection([&] { sensitivity(request); }),
            "--sensitivity: nothing can be simulated within 10 hops each; use a smaller grid or a shorter vector");
  request = row_of_eight(16);
  request.algorithm = "snake";
  EXPECT_NE(rejection([&] { sensitivity(request); }), "accepted");
}

TEST(Sensitivity, OfReducingSwitchesFollowsMemoryForLongVectors) {
  SensitivityRequest request{.job = {.machine = with_nodes(shipped_machine("piuma"), 1),
                                     .collective = Collective::allreduce,
                                     .count = 100'000}};
  const SensitivityAnswer answer = sensitivity(request);
  EXPECT_EQ(answer.asked, "in-network");
  EXPECT_EQ(answer.rows.size(), 1U + 7 * 2);
  const auto seconds = [&](const SensitivityRow& row) { return row.ranking[*row.asked].simulated_seconds->value(); };
  EXPECT_NEAR(seconds(row_with(answer, "memory.bandwidth", "25.6 Gb/s")) / seconds(answer.rows[0]), 2, 0.01);
  EXPECT_NEAR(seconds(row_with(answer, "link.bandwidth", "128 Gb/s")) / seconds(answer.rows[0]), 1, 0.01);
  EXPECT_EQ(seconds(row_with(answer, "host.round_overhead", "600 ns")), seconds(answer.rows[0]));
}

TEST(Sensitivity, OfAClusterFollowsTheBandwidthOfItsDimensions) {
  SensitivityRequest request{
      .job = {.machine = shipped_machine("themis-example"), .collective = Collective::allreduce, .count = 64'000}};
  const SensitivityAnswer answer = sensitivity(request);
  EXPECT_FALSE(answer.failed);
  ASSERT_FALSE(answer.rows.empty());
  for (const SensitivityRow& row : answer.rows) EXPECT_FALSE(row.ranking.empty()) << row.parameter;
  EXPECT_GT(answer.rows.size(), 4U);
}

TEST(Sensitivity, FaultWithOneSettingIsNamed) {
  const RunFunction run = [](const Job& job, const Schedule& schedule,
                             const RunOptions& options) -> Outcome<muster::Run> {
    muster::Run result = std::move(run_stages(job, schedule, options)).value();
    if (as<Mesh>(job.machine)->ramp_queue == 8 && options.name == "chain") {
      result.result->fault = Fault{.kind = "deadlock", .location = "PE (0,0)", .cycle = Ticks(1), .message = "stuck"};
    }
    return result;
  };
  const SensitivityAnswer answer = sensitivity(row_of_eight(16), run);
  EXPECT_TRUE(answer.failed);
  ASSERT_EQ(answer.left_out.size(), 1U);
  EXPECT_EQ(answer.left_out[0].reason, "with ramp.queue = 8: deadlock: stuck");
}

TEST(Sensitivity, EveryCollectiveOnOddShapes) {
  for (const Collective collective :
       {Collective::broadcast, Collective::allreduce, Collective::scatter, Collective::gather, Collective::allgather,
        Collective::reduce_scatter, Collective::barrier}) {
    SensitivityRequest request = row_of_eight(collective == Collective::barrier ? 1 : 15);
    request.job.machine = with_grid(request.job.machine, 5, 3);
    request.job.collective = collective;
    EXPECT_FALSE(sensitivity(request).failed) << collective_name(collective);
  }
}

}  // namespace
}  // namespace muster
