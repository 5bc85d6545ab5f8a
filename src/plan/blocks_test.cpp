// The collectives on blocks and the barrier through the whole pipeline: how near the bounds, and with how many colors.
#include <gtest/gtest.h>

#include "machine/mesh.h"
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

TEST(Allgather, ByHalvesIsForLongBlocksAndByGatheringForShortOnes) {
  const Job brief = wafer_job(Collective::allgather, 64, 1, 64);
  EXPECT_LT(run(brief, "gather-flood").result.cycles, run(brief, "halves").result.cycles);
  const Job extended = wafer_job(Collective::allgather, 64, 1, 2048);
  EXPECT_LT(run(extended, "halves").result.cycles, run(extended, "gather-flood").result.cycles);
}

/// Next to the middle, a PE takes both halves and sends its own: 3/2 of the words.
TEST(Allgather, ByHalvesTakesHalfAsLongAgainAsThePortsNeed) {
  const std::int64_t words = 2048;
  for (const auto& [width, height] : {std::pair{64, 1}, {1, 64}}) {
    const Job job = wafer_job(Collective::allgather, width, height, words);
    EXPECT_LE(run(job, "halves").result.cycles->value(), words * 3 / 2 + 2 * words / 64 + 64 + 10);
  }
}

TEST(Allgather, ByHalvesNeedsFewColorsOnBothMachines) {
  for (const std::string machine : {"wse2", "wse3"}) {
    for (const auto& [width, height] : {std::pair{6, 1}, {7, 1}, {33, 1}, {1, 7}, {3, 6}, {7, 9}, {16, 16}}) {
      for (const std::int64_t count : {5, 130, 601}) {
        Job job = wafer_job(Collective::allgather, width, height, count);
        job.machine = with_grid(shipped_machine(machine), width, height);
        EXPECT_LE(run(job, "halves").result.channels.value(), width == 1 || height == 1 ? 3 : 5)
            << machine << " " << width << "x" << height << ", " << count;
      }
    }
  }
}

TEST(Barrier, TakesLittleMoreThanTheWayAcrossTheMesh) {
  EXPECT_LE(above_bound(wafer_job(Collective::barrier, 64, 1, 1), "reduce-flood"), 10);
  EXPECT_LE(above_bound(wafer_job(Collective::barrier, 16, 16, 1), "reduce-flood"), 20);
}

TEST(EveryCollective, NeedsFewColorsHoweverLongTheLines) {
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    for (const auto& [width, height] : {std::pair{64, 1}, {8, 8}, {1, 64}, {5, 11}}) {
      const NodeId root = width * height / 3;
      const Job job =
          sized_for(wafer_job(algorithm.collective, width, height, 3 * width * height, root), algorithm.collective);
      if (algorithm.family != "mesh" || algorithm.unsupported(request_of(job)) || is_over_budget(job, algorithm))
        continue;
      const bool line = width == 1 || height == 1;
      const bool split_and_flood =
          algorithm.name.starts_with("split-") && algorithm.collective == Collective::allreduce;
      EXPECT_LE(run(job, algorithm.name).result.channels.value(), line ? 4 : (split_and_flood ? 9 : 8))
          << collective_name(algorithm.collective) << " by " << algorithm.name << " on " << width << "x" << height;
    }
  }
}

TEST(AllToAll, IsRefusedWithoutAWholeBlockPerPair) {
  const Job job = wafer_job(Collective::all_to_all, 4, 2, 9);
  EXPECT_EQ(rejection([&] { choose(job, "pipeline", {}); }),
            "algorithm: pipeline needs a block of the same size for each of the 8 PEs: a multiple of 8 elements");
}

TEST(AllToAll, PadsBlocksThatDoNotFillWholeWords) {
  for (const auto& [width, height, block] : {std::tuple{3, 1, 1}, {3, 1, 5}, {1, 4, 3}, {4, 3, 7}}) {
    const std::int64_t ranks = std::int64_t{width} * height;
    Job job = wafer_job(Collective::all_to_all, width, height, ranks * block);
    job.arithmetic.type = ElementType::f16;
    EXPECT_EQ(request_of(job).count, ranks * ((block + 1) / 2));
    const SimulationAnswer answer = run(job, "pipeline");
    EXPECT_TRUE(answer.result_correct);
    EXPECT_EQ(answer.checked_elements, ranks * ranks * block);
    Job even = job;
    even.count = ranks * (block + 1);
    EXPECT_EQ(run(even, "pipeline").result.cycles, answer.result.cycles);
  }
}

TEST(Relays, AreRefusedWhereTheyWouldBeTooMany) {
  const Job job = wafer_job(Collective::reduce_scatter, 512, 512, 5000);
  EXPECT_EQ(rejection([&] { choose(job, "pipeline", {}); }),
            "algorithm: pipeline would send 267,911,168 messages between PEs; at most 2,000,000 are supported");
}

}  // namespace
}  // namespace muster
