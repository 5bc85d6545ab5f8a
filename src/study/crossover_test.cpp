#include "study/crossover.h"

#include <gtest/gtest.h>

#include <algorithm>

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
  std::erase_if(entries, [](const Entry& one) { return one.name() == "auto-gen" || one.name() == "best-tree"; });
  return entries;
}

Reign reign_of(const Job& job) { return reign_of_best(job, entries_of(job), run_stages); }
std::string text_of(const Job& job) { return crossover_text(job, entries_of(job), run_stages); }

std::string best_at(Job job, std::int64_t count) {
  job.count = count;
  return plan(job).candidates.at(0).algorithm;
}

/// Whether nobody is faster there.
bool is_best_at(Job job, std::int64_t count, const std::string& algorithm) {
  job.count = count;
  const std::vector<CandidateAnswer> candidates = plan(job).candidates;
  return std::any_of(candidates.begin(), candidates.end(), [&](const CandidateAnswer& one) {
    return one.algorithm == algorithm && one.simulated_cycles == candidates.at(0).simulated_cycles;
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
    const Reign reign = reign_of(job);
    const std::string place = fmt::format("{}x1, root {}, {} words: {}", length, root, count, text_of(job));
    EXPECT_EQ(reign.best, best_at(job, count)) << place;
    for (const Edge& edge : {reign.below, reign.above}) {
      EXPECT_EQ(edge.basis, Edge::Basis::simulated) << place;
      EXPECT_TRUE(is_best_at(job, edge.kept, reign.best)) << place;
      if (edge.taker) {
        EXPECT_EQ(best_at(job, edge.lost), *edge.taker) << place;
        EXPECT_FALSE(is_best_at(job, edge.lost, reign.best)) << place;
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
  const Reign reign = reign_of_best(job, fixed_patterns_of(job), run_stages);
  EXPECT_EQ(reign.best, "two-phase");
  EXPECT_EQ(reign.above.basis, Edge::Basis::predicted);
  EXPECT_EQ(reign.above.kept, 2564);
  EXPECT_EQ(reign.above.lost, 2565);
  EXPECT_EQ(reign.above.taker, "chain");
  EXPECT_EQ(reign.below.taker, "tree");
}

TEST(Crossover, IsToldInOneSentence) {
  const Job job = unsimulated(wafer_job(Collective::reduce, 512, 1, 256));
  const std::string text = crossover_text(job, fixed_patterns_of(job), run_stages);
  EXPECT_EQ(text, "by prediction, chain takes over from 2,565 elements on; tree takes over below 68 elements");
  const std::string simulated = text_of(wafer_job(Collective::reduce, 24, 1, 30));
  EXPECT_EQ(simulated.find("by prediction"), std::string::npos) << simulated;
  EXPECT_EQ(text_of(wafer_job(Collective::gather, 4, 4, 4)), "no crossover: only direct fits");
}

TEST(Crossover, NamesAWinnerOnceThatNobodyTakesOverFrom) {
  using enum Edge::Basis;
  const Job job = wafer_job(Collective::reduce, 8, 1, 64);
  Reign reign{.best = "chain", .below = {.basis = predicted, .kept = 1}, .above = {.basis = simulated, .kept = 11008}};
  EXPECT_EQ(reign_text(job, reign),
            "chain also wins at every larger size that fits (up to 11,008 elements) and at every smaller size "
            "(predicted)");
  reign.below = {.basis = simulated, .kept = 16};
  reign.above = {.basis = predicted, .kept = 4096};
  EXPECT_EQ(reign_text(job, reign), "chain also wins up to 4,096 elements (predicted) and down to 16 elements");
}

TEST(Crossover, LeavesOutWhatDoesNotFit) {
  EXPECT_EQ(text_of(wafer_job(Collective::broadcast, 8, 1, 4)), "no crossover: only flood fits");
  Job job = wafer_job(Collective::reduce, 16, 1, 10);
  for (job.options.of<MeshOptions>().reserved_colors = 16; job.options.of<MeshOptions>().reserved_colors <= 20;
       ++job.options.of<MeshOptions>().reserved_colors) {
    const PlanAnswer answer = plan(job);
    for (const SkippedAnswer& one : answer.skipped) {
      EXPECT_EQ(answer.crossover.find(one.algorithm), std::string::npos) << one.algorithm << ": " << answer.crossover;
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
  for (const Job& one : {job, unsimulated(job)}) {
    const Reign reign = reign_of(one);
    EXPECT_EQ(reign.best, "best-tree");
    EXPECT_FALSE(reign.below.taker.has_value()) << *reign.below.taker;
    EXPECT_EQ(reign.below.kept, 1);
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
