#include "plan/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "study/plan.h"

namespace muster {
namespace {

/// The real stages, but the simulation of the named algorithms ends badly.
RunFunction with_fault_in(const std::vector<std::string>& names, bool deadlock) {
  return [=](const Job& job, const Schedule& schedule, const RunOptions& options) {
    Outcome<Run> outcome = run_stages(job, schedule, options);
    if (!outcome || std::find(names.begin(), names.end(), options.name) == names.end()) return outcome;
    Run run = std::move(outcome).value();
    if (deadlock) {
      run.result->fault = Fault{.kind = "deadlock", .location = "PE (0,0)", .cycle = Ticks(9), .message = "all wait"};
    } else {
      run.comparison.difference = "rank 0, element 0: 1, expected 2";
    }
    return Outcome<Run>(std::move(run));
  };
}

TEST(Ranking, PutsWhatFailsLastAndSaysSo) {
  const Job job = wafer_job(Collective::reduce, 12, 1, 40);
  const std::string best = plan(job).candidates.at(0).algorithm;
  for (const bool deadlock : {true, false}) {
    const PlanAnswer answer = plan_with(job, with_fault_in({best}, deadlock));
    EXPECT_TRUE(answer.failed);
    ASSERT_EQ(answer.candidates.size(), plan(job).candidates.size());
    const CandidateAnswer& last = answer.candidates.back();
    EXPECT_EQ(last.algorithm, best);
    EXPECT_TRUE(last.failed);
    EXPECT_FALSE(last.simulated_cycles);
    EXPECT_EQ(last.note, deadlock ? "deadlock: all wait" : "wrong result: rank 0, element 0: 1, expected 2");
    EXPECT_TRUE(answer.result_correct) << "of the one that is best now";
    EXPECT_EQ(answer.crossover.find(best), std::string::npos) << answer.crossover;
    EXPECT_EQ(best_of(job, answer).algorithm->name, answer.candidates[0].algorithm);
  }
  EXPECT_FALSE(plan(job).failed);
}

TEST(Ranking, ChoosesNothingWhereEverythingFails) {
  const Job job = wafer_job(Collective::reduce, 5, 1, 4);
  std::vector<std::string> all;
  for (const CandidateAnswer& candidate : plan(job).candidates) all.push_back(candidate.algorithm);
  const PlanAnswer answer = plan_with(job, with_fault_in(all, true));
  EXPECT_TRUE(answer.failed);
  EXPECT_FALSE(answer.result_correct);
  EXPECT_EQ(answer.why, "");
  EXPECT_EQ(answer.crossover, "");
  const std::string message = rejection([&] { best_of(job, answer); });
  EXPECT_EQ(message.find("no algorithm for reduce on wse2 (5x1) fits: "), 0U) << message;
  EXPECT_NE(message.find("star fails (deadlock: all wait)"), std::string::npos) << message;
}

TEST(Ranking, SpendsNoMoreThanTheEffortAndTheBestPredictionFirst) {
  Job job = wafer_job(Collective::reduce, 64, 1, 200);
  job.hop_budget = 0;  // the cycle engine does not help out
  std::atomic<std::int64_t> effort = 0;
  std::atomic<std::size_t> given_up = 0;
  const RunFunction counted = [&](const Job& asked, const Schedule& schedule, const RunOptions& options) {
    auto outcome = run_stages(asked, schedule, options);
    effort += outcome.value().effort;
    given_up += outcome.value().given_up ? 1 : 0;
    return outcome;
  };
  Candidates all = candidates_for(request_of(job));
  ranked_entries(job, all, counted, {.simulate_all = true});
  EXPECT_EQ(given_up, 0U);
  const std::int64_t needed = effort.exchange(0);
  ASSERT_GT(needed, 0);

  job.effort_budget = needed / 2;
  const std::vector<Entry> entries = ranked_entries(job, all, counted, {.simulate_all = true});
  EXPECT_LE(effort, job.effort_budget);
  EXPECT_GT(given_up, 0U);
  EXPECT_LT(given_up, entries.size());
  EXPECT_TRUE(entries.front().timed());
  EXPECT_EQ(entries.back().note.find("not simulated: it exceeds its share"), 0U) << entries.back().note;
}

TEST(Ranking, DoesNotDependOnHowManyRunAtOnce) {
  Job job = wafer_job(Collective::reduce, 24, 16, 60);
  job.hop_budget = 0;
  job.effort_budget = 200'000;  // too little for all
  const auto ranked = [&](const RunFunction& run) {
    Candidates all = candidates_for(request_of(job));
    std::vector<std::string> shown;
    for (const Entry& entry : ranked_entries(job, all, run)) {
      shown.push_back(fmt::format("{} {} {}", entry.name(), entry.time().value(), entry.note));
    }
    return shown;
  };
  std::mutex one_at_a_time;
  const auto one_by_one = ranked([&](const Job& asked, const Schedule& schedule, const RunOptions& options) {
    const std::lock_guard lock(one_at_a_time);
    return run_stages(asked, schedule, options);
  });
  EXPECT_EQ(ranked(run_stages), one_by_one);
}

/// The real stages, but the named algorithm is beyond its budget.
RunFunction without_time_of(const std::string& name) {
  return [=](const Job& job, const Schedule& schedule, const RunOptions& options) {
    Outcome<Run> outcome = run_stages(job, schedule, options);
    if (!outcome || options.name != name) return outcome;
    Run run = std::move(outcome).value();
    run.result.reset();
    run.given_up = true;
    return Outcome<Run>(std::move(run));
  };
}

TEST(Ranking, StarsABetterPredictionThatWasNotSimulated) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 64);
  const PlanAnswer simulated = plan(job);
  EXPECT_EQ(simulated.starred_by, StarredBy::simulation);
  ASSERT_EQ(simulated.candidates.at(0).algorithm, "best-tree");
  ASSERT_LT(*simulated.candidates[0].predicted_cycles, *simulated.candidates.at(1).predicted_cycles);

  const PlanAnswer predicted = plan_with(job, without_time_of("best-tree"));
  EXPECT_EQ(predicted.starred_by, StarredBy::prediction);
  EXPECT_EQ(predicted.candidates.at(0).algorithm, "best-tree");
  EXPECT_FALSE(predicted.candidates[0].simulated_cycles);
  EXPECT_TRUE(predicted.verified) << "it was proven all the same";
  EXPECT_EQ(predicted.candidates.at(1).algorithm, simulated.candidates.at(1).algorithm);
  EXPECT_EQ(predicted.why.find("by prediction, best-tree"), 0U) << predicted.why;
}

TEST(Ranking, KeepsAWorsePredictionThatWasNotSimulatedBehind) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 64);
  const PlanAnswer answer = plan_with(job, without_time_of("two-phase"));
  EXPECT_EQ(answer.starred_by, StarredBy::simulation);
  EXPECT_EQ(answer.candidates.at(0).algorithm, "best-tree");
}

/// The fastest one is simulated to be faster than it was predicted, and than another one's better prediction.
TEST(Ranking, ComparesPredictionsWithPredictions) {
  Entry fastest{.candidate = {.choice = {}, .predicted = Ticks(100)}, .run = {}, .note = ""};
  fastest.run.result = Result{.engine = "cycle"};
  fastest.run.result->cycles = Ticks(90);
  Entry other{.candidate = {.choice = {}, .predicted = Ticks(95)}, .run = {}, .note = ""};
  EXPECT_TRUE(is_predicted_faster(other, fastest));
  other.candidate.predicted = Ticks(100);
  EXPECT_FALSE(is_predicted_faster(other, fastest));
  fastest.run.result->cycles = Ticks(110);
  EXPECT_TRUE(is_predicted_faster(other, fastest)) << "its prediction is better than the simulated time";
}

TEST(Ranking, SimulatesNothingBeyondThreeTimesTheBestPrediction) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 64);
  std::mutex mutex;
  std::vector<std::string> ran;
  const RunFunction noted = [&](const Job& asked, const Schedule& schedule, const RunOptions& options) {
    const std::lock_guard lock(mutex);
    ran.push_back(options.name);
    return run_stages(asked, schedule, options);
  };
  Candidates all = candidates_for(request_of(job));
  const Ticks best = all.offered.front().predicted;
  std::size_t slow = 0;
  for (const Entry& entry : ranked_entries(job, all, noted)) {
    const bool too_slow = entry.candidate.predicted > Ticks(3 * best.value());
    slow += too_slow ? 1 : 0;
    EXPECT_EQ(entry.timed(), !too_slow) << entry.name();
    EXPECT_EQ(entry.predicted_only, too_slow) << entry.name();
    EXPECT_EQ(std::find(ran.begin(), ran.end(), entry.name()) == ran.end(), too_slow) << entry.name();
    if (too_slow) {
      EXPECT_EQ(entry.note, "not simulated: predicted to take more than 3 times as long as the best prediction");
    }
  }
  EXPECT_GT(slow, 0U);
}

TEST(Ranking, TriesSlowOnesWhereTheOthersFail) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 64);
  std::vector<std::string> others;
  for (const Candidate& candidate : candidates_for(request_of(job)).offered) {
    if (candidate.choice.algorithm->name != "star") others.push_back(candidate.choice.algorithm->name);
  }
  const PlanAnswer answer = plan_with(job, with_fault_in(others, true));
  EXPECT_EQ(answer.candidates.at(0).algorithm, "star");
  EXPECT_TRUE(answer.candidates[0].simulated_cycles);
}

TEST(Ranking, PredictsOnlyIfThatIsAllThatIsAskedFor) {
  const Job job = wafer_job(Collective::reduce, 64, 1, 64);
  const RunFunction never = [](const Job&, const Schedule&, const RunOptions&) -> Outcome<muster::Run> {
    ADD_FAILURE() << "a schedule was run";
    return Refusal{"no"};
  };
  const PlanAnswer answer = plan_with(job, never, {.quick = true});
  EXPECT_EQ(answer.starred_by, StarredBy::prediction);
  EXPECT_TRUE(answer.predicted_only);
  EXPECT_FALSE(answer.verified);
  ASSERT_EQ(answer.candidates.size(), plan(job).candidates.size());
  for (std::size_t i = 1; i < answer.candidates.size(); ++i) {
    EXPECT_LE(*answer.candidates[i - 1].predicted_cycles, *answer.candidates[i].predicted_cycles);
    EXPECT_FALSE(answer.candidates[i].simulated_cycles);
  }
}

}  // namespace
}  // namespace muster
