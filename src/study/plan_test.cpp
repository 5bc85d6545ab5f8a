#include "plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "machine/mesh.h"
#include "machine/torus.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "study/plan.h"

namespace muster {
namespace {

/// How many algorithms support the job.
std::size_t supporting(const Job& job) {
  const std::vector<Algorithm> all = algorithms_of(family_name(job.machine));
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Algorithm& algorithm) {
    return algorithm.collective == job.collective && !algorithm.unsupported(request_of(job));
  }));
}

const CandidateAnswer& candidate(const PlanAnswer& answer, const std::string& name) {
  return *std::find_if(answer.candidates.begin(), answer.candidates.end(),
                       [&](const CandidateAnswer& candidate) { return candidate.algorithm == name; });
}

std::vector<std::string> names_of(const std::vector<CandidateAnswer>& candidates) {
  std::vector<std::string> names;
  for (const CandidateAnswer& candidate : candidates) names.push_back(candidate.algorithm);
  return names;
}

TEST(Plan, RanksEveryAlgorithmThatSupportsTheJobByItsSimulatedTime) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 32);
  const PlanAnswer answer = plan(job, {.simulate_all = true});
  ASSERT_EQ(answer.candidates.size(), supporting(job));
  EXPECT_TRUE(std::is_sorted(answer.candidates.begin(), answer.candidates.end(), [](const auto& a, const auto& b) {
    return a.simulated_cycles.value() < b.simulated_cycles.value();
  }));
  EXPECT_EQ(answer.candidates.front().algorithm, "best-tree");
  EXPECT_GT(candidate(answer, "star").simulated_cycles, candidate(answer, "chain").simulated_cycles);
  for (const SkippedAnswer& skipped : answer.skipped) {
    EXPECT_EQ(skipped.reason, "needs several rows and columns, got 64x1") << skipped.algorithm;
  }
  EXPECT_TRUE(answer.verified);
  EXPECT_TRUE(answer.result_correct);
  EXPECT_EQ(answer.bounds.at(0).name, "space-time");
  EXPECT_EQ(answer.bounds.at(1).cycles, Ticks(32 + 63 + 4));
  for (const CandidateAnswer& candidate : answer.candidates)
    EXPECT_GE(*candidate.simulated_cycles, *answer.bounds[0].cycles);
  const Ticks lead = *answer.candidates[1].simulated_cycles - *answer.candidates[0].simulated_cycles;
  EXPECT_EQ(answer.why.find(fmt::format("best-tree wins by {} cycles because ", lead.value())), 0U) << answer.why;
  EXPECT_EQ(answer.crossover, "best-tree wins at every size that fits (up to 11,008 elements)");
}

TEST(Plan, FindsTheStarAmongTheBestForAScalarAndTheChainForALongVector) {
  const auto expect_best = [](const Job& job, const std::vector<std::string>& names) {
    const PlanAnswer answer = plan(job);
    for (const std::string& name : names) {
      EXPECT_EQ(candidate(answer, name).simulated_cycles, answer.candidates.at(0).simulated_cycles) << name;
    }
  };
  expect_best(wafer_job(Collective::reduce, 32, 1, 1), {"star", "best-tree"});
  expect_best(wafer_job(Collective::reduce, 12, 1, 1000), {"best-tree", "chain"});
}

TEST(Plan, DoesNotSimulateWhatIsOverTheHopBudgetOfTheCycleEngine) {
  Job job = wafer_job(Collective::reduce, 16, 1, 10);
  job.engine = Engine::cycle;
  job.hop_budget = 15 * 10;  // a chain's
  const PlanAnswer answer = plan(job, {.simulate_all = true});
  ASSERT_EQ(answer.candidates.size(), supporting(job));
  EXPECT_EQ(answer.candidates[0].algorithm, "best-tree") << "what cannot be simulated does not lose for that";
  EXPECT_EQ(answer.starred_by, StarredBy::prediction);
  for (const CandidateAnswer& candidate : answer.candidates) {
    const bool is_chain = candidate.algorithm == "chain" || candidate.algorithm == "collectives-2d";
    EXPECT_EQ(candidate.simulated_cycles.has_value(), is_chain) << candidate.algorithm;
    EXPECT_EQ(candidate.simulated_seconds.has_value(), is_chain) << candidate.algorithm;
    EXPECT_EQ(candidate.note.starts_with("not simulated: "), !is_chain) << candidate.note;
  }
  EXPECT_LE(*answer.candidates[0].predicted_cycles, *answer.candidates[1].predicted_cycles);
}

TEST(Plan, CountsRoutersForTheStreamEngineHoweverLongTheVector) {
  for (const std::int64_t count : {10, 2000}) {
    Job job = wafer_job(Collective::reduce, 16, 1, count);
    job.hop_budget = 1;
    job.transit_budget = 15 * 2;  // a chain's
    const PlanAnswer answer = plan(job, {.simulate_all = true});
    ASSERT_EQ(answer.candidates.size(), supporting(job));
    for (const CandidateAnswer& candidate : answer.candidates) {
      EXPECT_EQ(candidate.simulated_cycles.has_value(), candidate.note.empty()) << candidate.algorithm;
      EXPECT_EQ(candidate.note.starts_with("not simulated: its messages cross "), !candidate.simulated_cycles)
          << candidate.note;
    }
    for (const CandidateAnswer& candidate : answer.candidates) {
      EXPECT_TRUE(candidate.simulated_cycles || candidate.algorithm != "chain") << candidate.note;
    }
    EXPECT_EQ(answer.candidates[0].simulated_cycles.has_value(), answer.starred_by == StarredBy::simulation);
    EXPECT_TRUE(std::any_of(answer.candidates.begin(), answer.candidates.end(),
                            [](const CandidateAnswer& candidate) { return !candidate.simulated_cycles; }));
  }
}

TEST(Plan, LetsTheCycleEngineTakeOverOnlyWithinItsBudget) {
  Job job = wafer_job(Collective::reduce, 16, 1, 10);
  as<Mesh>(job.machine)->receive_gap = Ticks(1);
  EXPECT_TRUE(plan(job).candidates.front().simulated_cycles.has_value());
  job.hop_budget = 1;
  const PlanAnswer answer = plan(job, {.simulate_all = true});
  for (const CandidateAnswer& candidate : answer.candidates) {
    EXPECT_FALSE(candidate.simulated_cycles) << candidate.algorithm;
    EXPECT_EQ(
        candidate.note.find("not simulated: the stream engine was not used: operations have a start-up or a gap; the "
                            "cycle engine would need "),
        0U)
        << candidate.note;
  }
}

TEST(Plan, DoesNotEvenLowerWhatIsOverTheBudget) {
  Job job = wafer_job(Collective::reduce, 750, 1, 1);
  Mesh& mesh = *as<Mesh>(job.machine);
  mesh.width = mesh.max_width = mesh.fabric_width = 30'000;
  job.transit_budget = 1000;
  const PlanAnswer answer = plan(job);
  ASSERT_EQ(answer.candidates.size(), supporting(job));
  ASSERT_FALSE(answer.candidates.empty());
  EXPECT_TRUE(answer.verified);
  EXPECT_FALSE(answer.failed);
  for (const CandidateAnswer& candidate : answer.candidates)
    EXPECT_FALSE(candidate.simulated_cycles) << candidate.algorithm;
}

TEST(Plan, RemarksOnWhatTheFormulasLeaveOut) {
  Job job = wafer_job(Collective::reduce, 8, 1, 10);
  EXPECT_EQ(plan(job).candidates.at(0).note, "");
  as<Mesh>(job.machine)->router_buffer = 1;
  const PlanAnswer answer = plan(job);
  EXPECT_EQ(answer.candidates.at(0).note,
            "predicted by walking the steps of the schedule, because the formulas do not cover router.buffer = 1");
  EXPECT_EQ(answer.candidates.at(1).note, "");
}

TEST(Plan, SaysWhereTheWinnerTakesLongerThanSimulated) {
  Job job = wafer_job(Collective::reduce, 8, 1, 32);
  job.arithmetic = {.type = ElementType::f16, .op = Operator::min};
  const std::string note = plan(job).candidates.front().note;
  EXPECT_TRUE(note.starts_with("as csl: There is no vector instruction for the minimum of f16")) << note;
  job.arithmetic.op = Operator::max;
  EXPECT_EQ(plan(job).candidates.front().note, "");
}

TEST(Plan, SaysWhenTheWinnerCannotBeEmitted) {
  Job job = wafer_job(Collective::barrier, 8, 1, 1);
  job.arithmetic.type = ElementType::i32;
  const std::string note = plan(job).candidates.front().note;
  EXPECT_TRUE(note.starts_with("cannot be emitted: csl: ")) << note;
}

TEST(Plan, SaysNothingOfOtherSizesForABarrier) {
  const Job job{
      .machine = with_workers(shipped_machine("wormhole-n150"), 4), .collective = Collective::barrier, .count = 1};
  const PlanAnswer answer = plan(job);
  EXPECT_GT(answer.candidates.size(), 1U);
  EXPECT_EQ(answer.crossover, "");
}

TEST(Plan, GivesAReasonWhereDepthAndPortDoNotDecide) {
  const PlanAnswer answer = plan(wafer_job(Collective::reduce, 17, 1, 256, 8));
  EXPECT_TRUE(answer.why.starts_with("chain and ") && answer.why.ends_with(" take the same time")) << answer.why;
}

TEST(Plan, SkipsWhatDoesNotSupportTheShapeWithTheReason) {
  const Job job = wafer_job(Collective::reduce, 4, 4, 10);
  const PlanAnswer answer = plan(job);
  EXPECT_EQ(answer.candidates.size(), supporting(job));
  ASSERT_FALSE(answer.skipped.empty());
  EXPECT_EQ(answer.skipped[0].reason, "needs a row or a column, got 4x4");
  EXPECT_TRUE(answer.verified);
}

TEST(Plan, SkipsWhatTheColorsDoNotSufficeFor) {
  Job job = wafer_job(Collective::reduce, 16, 1, 10);
  job.options.of<MeshOptions>().reserved_colors = 20;  // one is left
  const PlanAnswer answer = plan(job);
  EXPECT_EQ(names_of(answer.candidates), (std::vector<std::string>{"star"}));
  ASSERT_FALSE(answer.skipped.empty());
  EXPECT_NE(answer.skipped.back().reason.find("color"), std::string::npos) << answer.skipped.back().reason;
}

TEST(Plan, TellsItsListenerWhatHappens) {
  Job job = wafer_job(Collective::broadcast, 12, 1, 10);
  std::vector<std::string> told;
  job.progress = [&](const std::string& what) { told.push_back(what); };
  EXPECT_EQ(names_of(plan(job).candidates), (std::vector<std::string>{"flood"}));
  EXPECT_NE(std::find(told.begin(), told.end(), "simulating flood"), told.end());
}

TEST(Choice, OfTheBestIsThePlansWinner) {
  const Job job = wafer_job(Collective::reduce, 48, 1, 24);
  EXPECT_EQ(choose_best(job).algorithm->name, plan(job).candidates.at(0).algorithm);
}

TEST(Choice, OfAnUnsupportedAlgorithmIsRejectedWithTheReason) {
  const Job job = wafer_job(Collective::reduce, 4, 4, 10);
  EXPECT_EQ(rejection([&] { choose(job, "chain", {}); }), "algorithm: chain needs a row or a column, got 4x4");
  Job without_colors = job;
  without_colors.options.of<MeshOptions>().reserved_colors = 20;
  const std::string none = rejection([&] { choose_best(without_colors); });
  EXPECT_EQ(none.find("20 reserved colors leave too few colors for reduce on 4x4: "), 0U) << none;
  EXPECT_NE(none.find("split-chain, xy-best-tree and 2 others: colors: 3 needed, 1 left"), std::string::npos) << none;
  EXPECT_NE(none.find("; and "), std::string::npos) << none;
}

TEST(Plan, TimesItsWinnersAsTheyAreWritten) {
  EXPECT_EQ(plan(wafer_job(Collective::allgather, 16, 1, 512)).candidates[0].note, "");
  EXPECT_EQ(plan(wafer_job(Collective::reduce, 16, 1, 64)).candidates[0].note, "");
  Job integers = wafer_job(Collective::reduce, 16, 1, 64);
  integers.arithmetic.type = ElementType::i32;
  EXPECT_NE(plan(integers).candidates[0].note.find("as csl: There is no vector instruction"), std::string::npos);
}

}  // namespace
}  // namespace muster
