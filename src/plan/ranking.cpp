// Every candidate through all stages, then the order of the answer.
#include "plan/ranking.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "base/counted.h"
#include "base/parallel.h"
#include "base/saturating.h"
#include "plan/job.h"

namespace muster {

namespace {

std::string over_budget(const Job& job, const Run& run) {
  if (follows_streams(job) && cost_of(job, run.load) > job.transit_budget) {
    return fmt::format("not simulated: its messages pass {} routers, more than the budget of {}",
                       grouped(cost_of(job, run.load)), grouped(job.transit_budget));
  }
  const std::string hops = fmt::format("{} hops, more than the budget of {}",
                                       grouped(saturating_product(run.load.hops, job.calls)), grouped(job.hop_budget));
  if (run.given_up) {
    return "not simulated: it would take more than its share of what plan spends; 'muster simulate --algorithm' has no "
           "limit";
  }
  if (run.handed_over.empty()) return "not simulated: " + hops;
  return fmt::format("not simulated: {}; and the cycle engine would need {}", run.handed_over, hops);
}

}  // namespace

std::string note_on(const Job& job, const Run& run) {
  if (!run.result) return over_budget(job, run);
  if (run.result->fault) return fmt::format("{}: {}", run.result->fault->kind, run.result->fault->message);
  return run.comparison.difference ? "wrong result: " + *run.comparison.difference : "";
}

CandidateAnswer candidate_answer(const Job& job, const Entry& entry) {
  const auto& [algorithm, parameters] = entry.candidate.choice;
  CandidateAnswer answer{.algorithm = entry.name(), .parameters = shown_parameters(*algorithm, parameters)};
  answer.predicted_cycles = shown_cycles(job.machine, entry.candidate.predicted);
  answer.predicted_seconds = seconds_of(job.machine, entry.candidate.predicted);
  answer.failed = entry.failed();
  answer.note = entry.note;
  if (entry.timed()) {
    answer.simulated_cycles = shown_cycles(job.machine, entry.run.result->cycles);
    answer.simulated_seconds = entry.run.result->seconds;
    answer.utilization = entry.run.result->utilization;
  }
  return answer;
}

namespace {

// Who is predicted to be slower than the fastest so far may take one in so many of the effort.
constexpr std::int64_t kSlowerShare = 16;
constexpr std::int64_t kBeatenShare = 64;

/// 0 for what was simulated, 1 for what was only predicted, 2 for what failed.
int group_of(const Entry& entry) {
  if (entry.failed()) return 2;
  return entry.timed() ? 0 : 1;
}

/// Candidates that run side by side, whatever the computer has: what each may spend must not depend on that.
constexpr std::size_t kSideBySide = 4;

/// The same job, for several threads.
Job with_shared_progress(Job job) {
  if (!job.progress) return job;
  job.progress = [told = job.progress, mutex = std::make_shared<std::mutex>()](const std::string& what) {
    const std::lock_guard lock(*mutex);
    told(what);
  };
  return job;
}

/// What each may spend, `left` being what those before them have left: half of what is left to it, so that nobody leaves
/// nothing to those that are predicted to be slower.
std::vector<RunOptions> shares(const Job& job, std::span<const Candidate> side_by_side, std::int64_t left,
                               std::optional<Cycles> fastest) {
  std::vector<RunOptions> all;
  for (const Candidate& one : side_by_side) {
    RunOptions options = within_budget(job, one.choice.algorithm->name);
    options.effort_budget = left /= 2;
    if (fastest && one.predicted > *fastest) {
      const std::int64_t share = is_beaten(one.predicted, *fastest) ? kBeatenShare : kSlowerShare;
      options.effort_budget = std::min(options.effort_budget, job.effort_budget / share);
    }
    all.push_back(std::move(options));
  }
  return all;
}

}  // namespace

std::vector<Entry> ranked_entries(const Job& job, Candidates& candidates, const RunFunction& run, unsigned threads) {
  const Job shared = with_shared_progress(job);
  const std::span<const Candidate> offered(candidates.offered);
  std::vector<Entry> entries;
  std::int64_t effort_left = job.effort_budget;
  std::optional<Cycles> fastest;
  std::size_t next = 0;
  while (next < offered.size()) {
    const auto wave = offered.subspan(next, next == 0 ? 1 : std::min(kSideBySide, offered.size() - next));
    next += wave.size();
    const std::vector<RunOptions> options = shares(job, wave, effort_left, fastest);
    std::vector<std::optional<Outcome<Run>>> outcomes(wave.size());
    const auto work = [&](std::size_t i) {
      const auto& [algorithm, parameters] = wave[i].choice;
      outcomes[i] = run(shared, make_schedule(job, *algorithm, parameters), options[i]);
    };
    for_each_index(wave.size(), work, {.threads = threads, .progress = {}});
    for (std::size_t i = 0; i < wave.size(); ++i) {
      Outcome<Run>& outcome = *outcomes[i];
      if (!outcome) {
        candidates.skipped.push_back({.algorithm = options[i].name, .reason = outcome.reason()});
        continue;
      }
      require_verified(outcome.value().verdict, wave[i].choice);
      effort_left -= outcome.value().effort;
      std::string note = note_on(job, outcome.value());
      entries.push_back({.candidate = wave[i], .run = std::move(outcome).value(), .note = std::move(note)});
      if (entries.back().run.result) entries.back().run.result->outputs = {};  // they were compared, and may be large
      if (entries.back().timed()) fastest = std::min(fastest.value_or(entries.back().time()), entries.back().time());
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (group_of(a) != group_of(b)) return group_of(a) < group_of(b);
    return a.time() < b.time();
  });
  return entries;
}

namespace {

/// For a collective that no algorithm of the family is for.
std::string what_exists(const Job& job) {
  const std::string family = family_name(job.machine);
  return fmt::format("there is no algorithm for {} on a {}; there are some for: {}", collective_name(job.collective),
                     family, fmt::join(collectives_of(family), ", "));
}

}  // namespace

Ranking rank(const Job& job, const RunFunction& run) {
  check_job(job);
  Candidates candidates = candidates_for(request_of(job), job.given);
  Ranking ranking{.entries = ranked_entries(job, candidates, run),
                  .answer = {.question = question_of(job), .bounds = bounds_of(job)}};
  PlanAnswer& answer = ranking.answer;
  for (const Entry& entry : ranking.entries) {
    answer.candidates.push_back(candidate_answer(job, entry));
    answer.failed = answer.failed || entry.failed();
  }
  answer.skipped = std::move(candidates.skipped);
  if (answer.candidates.empty() && answer.skipped.empty()) answer.why = what_exists(job);
  if (ranking.entries.empty()) return ranking;
  const Run& best = ranking.entries.front().run;
  answer.verified = best.verdict.verified();
  answer.result_correct = best.correct();
  answer.result_computed = !best.result || best.computed();
  answer.error_probability = best.verdict.error_probability;
  std::string& note = answer.candidates.front().note;
  if (note.empty()) note = remark_on_predictions(job.machine);
  return ranking;
}

}  // namespace muster
