// The collectives on blocks and the barrier through the whole pipeline: how near the bounds, and with how many colors.
#include <gtest/gtest.h>

#include "plan/job.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

SimulationAnswer run(const Job& job, const std::string& algorithm) {
  SimulationAnswer answer = simulate(job, choose(job, algorithm, {}));
  EXPECT_TRUE(answer.result_correct) << algorithm << " on " << shape_text(job.machine) << ": " << answer.difference;
  return answer;
}

/// Simulated cycles above the best bound.
std::int64_t above_bound(const Job& job, const std::string& algorithm) {
  const SimulationAnswer answer = run(job, algorithm);
  return (*answer.result.cycles - *answer.bound->cycles).value();
}

TEST(Gather, MeetsTheBoundOnARowAndNearlyOnAGrid) {
  EXPECT_EQ(above_bound(wafer_job(Collective::gather, 33, 1, 33), "direct"), 0);
  EXPECT_EQ(above_bound(wafer_job(Collective::gather, 20, 1, 190), "direct"), 0);
  EXPECT_LE(above_bound(wafer_job(Collective::gather, 9, 7, 630, 31), "direct"), 6);
}

TEST(Scatter, ByFloodingTheFarthestBlocksFirstMeetsTheBound) {
  for (const NodeId root : {0, 5, 15}) {
    const Job job = wafer_job(Collective::scatter, 16, 1, 16, root);
    EXPECT_EQ(above_bound(job, "flood"), 0) << "root " << root;
  }
  EXPECT_EQ(above_bound(wafer_job(Collective::scatter, 16, 1, 500, 3), "flood"), 0);
  EXPECT_LE(above_bound(wafer_job(Collective::scatter, 6, 5, 30, 7), "flood"), 1);
  EXPECT_LT(run(wafer_job(Collective::scatter, 40, 1, 40), "flood").result.cycles,
            run(wafer_job(Collective::scatter, 40, 1, 40), "pipeline").result.cycles)
      << "short blocks pay for relays";
}

TEST(Allgather, BySteppingThroughPEsIsForLongBlocksAndByGatheringForShortOnes) {
  const Job brief = wafer_job(Collective::allgather, 24, 1, 24);
  EXPECT_LT(run(brief, "gather-flood").result.cycles, run(brief, "pipeline").result.cycles);
  const Job extended = wafer_job(Collective::allgather, 24, 1, 2400);
  EXPECT_LT(run(extended, "pipeline").result.cycles, run(extended, "gather-flood").result.cycles);
}

TEST(Barrier, TakesLittleMoreThanTheWayAcrossTheMesh) {
  EXPECT_LE(above_bound(wafer_job(Collective::barrier, 64, 1, 1), "reduce-flood"), 10);
  EXPECT_LE(above_bound(wafer_job(Collective::barrier, 16, 16, 1), "reduce-flood"), 20);
}

TEST(EveryCollective, NeedsFewColorsHoweverLongTheLines) {
  for (const Algorithm& one : algorithms_of("mesh")) {
    for (const auto& [width, height] : {std::pair{64, 1}, {8, 8}, {1, 64}, {5, 11}}) {
      const NodeId root = width * height / 3;
      const Job job = sized_for(wafer_job(one.collective, width, height, 3 * width * height, root), one.collective);
      if (one.family != "mesh" || one.unsupported(request_of(job)) || is_over_budget(job, one)) continue;
      const bool line = width == 1 || height == 1;
      const bool split_and_flood = one.name.starts_with("split-") && one.collective == Collective::allreduce;
      EXPECT_LE(run(job, one.name).result.channels.value(), line ? 4 : (split_and_flood ? 9 : 8))
          << collective_name(one.collective) << " by " << one.name << " on " << width << "x" << height;
    }
  }
}

TEST(AllToAll, IsRefusedWithoutAWholeBlockPerPair) {
  const Job job = wafer_job(Collective::all_to_all, 4, 2, 9);
  EXPECT_EQ(rejection([&] { choose(job, "pipeline", {}); }),
            "algorithm 'pipeline' needs a multiple of 8 words, one block per pair of PEs, got 9");
}

TEST(Relays, AreRefusedWhereTheyWouldBeTooMany) {
  const Job job = wafer_job(Collective::allgather, 512, 512, 5000);
  EXPECT_EQ(rejection([&] { choose(job, "pipeline", {}); }),
            "algorithm 'pipeline' would send 267911168 messages from PE to PE; at most 2000000 are planned");
}

}  // namespace
}  // namespace muster
