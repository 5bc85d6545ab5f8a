#include "study/crossover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "plan/plan_test_support.h"
#include "study/plan.h"

namespace muster {
namespace {

std::vector<Entry> entries_of(const Job& job) {
  Candidates candidates = candidates_for(request_of(job));
  return ranked_entries(job, candidates, run_stages);
}

/// The same without the trees that are made for each count, one of which is best everywhere.
std::vector<Entry> fixed_patterns_of(const Job& job) {
  std::vector<Entry> entries = entries_of(job);
  std::erase_if(entries, [](const Entry& entry) { return entry.name() == "auto-gen" || entry.name() == "best-tree"; });
  return entries;
}

WinningRange winning_range_of(const Job& job) { return winning_range_of_best(job, entries_of(job), run_stages); }
std::string text_of(const Job& job) { return crossover_text(job, entries_of(job), run_stages); }

std::string best_at(Job job, std::int64_t count) {
  job.count = count;
  return plan(job).candidates.at(0).algorithm;
}

/// Whether no algorithm is faster there.
bool is_best_at(Job job, std::int64_t count, const std::string& algorithm) {
  job.count = count;
  const std::vector<CandidateAnswer> candidates = plan(job).candidates;
  return std::any_of(candidates.begin(), candidates.end(), [&](const CandidateAnswer& candidate) {
    return candidate.algorithm == algorithm && candidate.simulated_cycles == candidates.at(0).simulated_cycles;
  });
}

Job unsimulated(Job job) {
  job.transit_budget = 1;
  return job;
}

TEST(Crossover, BySimulationIsWhereThePlansWinnerChanges) {
  struct Case {
    std::int32_t length;
    NodeId root;
    std::int64_t count;
  };
  for (const auto& [length, root, count] : {Case{17, 8, 256}, {8, 0, 10}, {24, 0, 12}, {30, 3, 40}, {12, 0, 3}}) {
    const Job job = wafer_job(Collective::reduce, length, 1, count, root);
    const WinningRange range = winning_range_of(job);
    const std::string where = fmt::format("{}x1, root {}, {} words: {}", length, root, count, text_of(job));
    EXPECT_EQ(range.best, best_at(job, count)) << where;
    for (const Edge& edge : {range.below, range.above}) {
      EXPECT_EQ(edge.basis, Edge::Basis::simulated) << where;
      EXPECT_TRUE(is_best_at(job, edge.kept, range.best)) << where;
      if (edge.taker) {
        EXPECT_EQ(best_at(job, edge.lost), *edge.taker) << where;
        EXPECT_FALSE(is_best_at(job, edge.lost, range.best)) << where;
      }
    }
  }
}

/// The stages, but one algorithm takes longer than any other.
RunFunction with_slow(const std::string& name) {
  return [name](const Job& job, const Schedule& schedule, const RunOptions& options) {
    Run run = run_stages(job, schedule, options).value();
    if (options.name == name && run.result) run.result->cycles = Ticks(1'000'000);
    return Outcome<Run>(std::move(run));
  };
}

TEST(Crossover, SaysWhereThePredictionWouldChooseAnother) {
  const Job job = wafer_job(Collective::reduce, 8, 1, 10);
  const std::string predicted = candidates_for(request_of(job)).offered.front().choice.algorithm->name;
  const std::string remark = "the prediction alone would choose " + predicted + " here; ";
  EXPECT_NE(plan(job).crossover.find(remark), 0) << "it does choose what is best";
  const PlanAnswer answer = plan_with(job, with_slow(predicted));
  EXPECT_NE(answer.candidates[0].algorithm, predicted);
  EXPECT_EQ(answer.crossover.find(remark), 0) << answer.crossover;
}

TEST(Crossover, ByPredictionIsTheOneOfTheFormulas) {
  // P = 512, S = 23: the chain ends at B + 3,066. Two-phase has 22 groups of 23 and one of 6 at the root: its edges are
  // 22 x 22 + 5 hops within groups and 21 x 23 + 6 between leaders, 978 together, its depth is 22 + 22. So it ends at
  // 978 B / 512 + 512 + 220, and the two meet at 2,564 words; from the next one on the chain is faster.
  const Job job = unsimulated(wafer_job(Collective::reduce, 512, 1, 2000));
  const WinningRange range = winning_range_of_best(job, fixed_patterns_of(job), run_stages);
  EXPECT_EQ(range.best, "two-phase");
  EXPECT_EQ(range.above.basis, Edge::Basis::predicted);
  EXPECT_EQ(range.above.kept, 2564);
  EXPECT_EQ(range.above.lost, 2565);
  EXPECT_EQ(range.above.taker, "chain");
  EXPECT_EQ(range.below.taker, "tree");
}

TEST(Crossover, IsToldInOneSentence) {
  const Job job = unsimulated(wafer_job(Collective::reduce, 512, 1, 256));
  const std::string text = crossover_text(job, fixed_patterns_of(job), run_stages);
  EXPECT_EQ(text, "by prediction, chain takes over from 2,565 elements on; tree takes over below 68 elements");
  const std::string simulated = text_of(wafer_job(Collective::reduce, 24, 1, 30));
  EXPECT_EQ(simulated.find("by prediction"), std::string::npos) << simulated;
  EXPECT_EQ(text_of(wafer_job(Collective::gather, 4, 4, 4)), "no crossover: only direct fits");
}

/// With one word, best-tree and auto-gen write a star.
TEST(Crossover, SimulatesEqualSchedulesOfOneSizeOnce) {
  std::vector<std::pair<std::int64_t, Schedule>> simulated;
  int repeated = 0;
  const RunFunction counting = [&](const Job& job, const Schedule& schedule, const RunOptions& options) {
    repeated += std::ranges::count(simulated, std::pair(job.count, schedule)) > 0 ? 1 : 0;
    simulated.emplace_back(job.count, schedule);
    EXPECT_TRUE(options.times_only);
    return run_stages(job, schedule, options);
  };
  for (const std::int32_t length : {5, 16}) {
    const Job job = wafer_job(Collective::reduce, length, 1, 40);
    EXPECT_EQ(crossover_text(job, entries_of(job), counting), text_of(job));
  }
  EXPECT_GE(simulated.size(), 4U);
  EXPECT_EQ(repeated, 0);
}

TEST(Crossover, NamesAWinnerOnceThatNobodyTakesOverFrom) {
  using enum Edge::Basis;
  const Job job = wafer_job(Collective::reduce, 8, 1, 64);
  WinningRange range{
      .best = "chain", .below = {.basis = predicted, .kept = 1}, .above = {.basis = simulated, .kept = 11008}};
  EXPECT_EQ(range_text(job, range),
            "chain also wins at every larger size that fits (up to 11,008 elements) and at every smaller size "
            "(predicted)");
  range.below = {.basis = simulated, .kept = 16};
  range.above = {.basis = predicted, .kept = 4096};
  EXPECT_EQ(range_text(job, range), "chain also wins up to 4,096 elements (predicted) and down to 16 elements");
}

TEST(Crossover, LeavesOutWhatDoesNotFit) {
  EXPECT_EQ(text_of(wafer_job(Collective::broadcast, 8, 1, 4)), "no crossover: only flood fits");
  Job job = wafer_job(Collective::reduce, 16, 1, 10);
  for (job.options.of<MeshOptions>().reserved_colors = 16; job.options.of<MeshOptions>().reserved_colors <= 20;
       ++job.options.of<MeshOptions>().reserved_colors) {
    const PlanAnswer answer = plan(job);
    for (const SkippedAnswer& skipped : answer.skipped) {
      EXPECT_EQ(answer.crossover.find(skipped.algorithm), std::string::npos)
          << skipped.algorithm << ": " << answer.crossover;
    }
    if (answer.candidates.empty()) {
      EXPECT_EQ(answer.crossover, "");
    }
  }
}

TEST(Crossover, IsNoCrossoverWhereAnotherIsOnlyAsFast) {
  // Of one word, a star is as fast as the best tree: the first row of the plan, but no change.
  const Job job = wafer_job(Collective::reduce, 64, 1, 32);
  ASSERT_EQ(plan(job).candidates.at(0).algorithm, "best-tree");
  for (const Job& asked : {job, unsimulated(job)}) {
    const WinningRange range = winning_range_of(asked);
    EXPECT_EQ(range.best, "best-tree");
    EXPECT_FALSE(range.below.taker.has_value()) << *range.below.taker;
    EXPECT_EQ(range.below.kept, 1);
  }
}

TEST(Crossover, IsDeniedWhereOneAlgorithmIsBestForEveryVector) {
  const Job job = wafer_job(Collective::reduce, 2, 1, 64);
  const std::string best = plan(job).candidates.at(0).algorithm;
  EXPECT_EQ(text_of(job), best + " wins at every size that fits (up to 11,008 elements)");
  EXPECT_EQ(text_of(unsimulated(job)), best + " wins at every size that fits (up to 11,008 elements), by prediction");
  Job one_word = job;
  one_word.count = 1;
  EXPECT_NE(text_of(one_word).find(" wins at every size that fits"), std::string::npos) << text_of(one_word);
}

}  // namespace
}  // namespace muster
