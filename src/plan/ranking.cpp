// Every candidate through all stages, then the order of the answer.
#include "plan/ranking.h"

#include <algorithm>
#include <optional>
#include <utility>

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

constexpr std::int64_t kHopelessShare = 64;  ///< what is predicted to be hopeless may take one in so many of the effort

/// 0 for what was simulated, 1 for what was only predicted, 2 for what failed.
int group_of(const Entry& entry) {
  if (entry.failed()) return 2;
  return entry.timed() ? 0 : 1;
}

}  // namespace

std::vector<Entry> ranked_entries(const Job& job, Candidates& candidates, const RunFunction& run) {
  const Request request = request_of(job);
  std::vector<Entry> entries;
  std::int64_t effort_left = job.effort_budget;
  std::optional<Cycles> fastest;
  for (const Candidate& one : candidates.offered) {
    const auto& [algorithm, parameters] = one.choice;
    RunOptions options = within_budget(job, algorithm->name);
    options.effort_budget = effort_left / 2;  // so that nobody leaves nothing to those that are predicted to be slower
    if (fastest && one.predicted > *fastest * kHopeless) {
      options.effort_budget = std::min(options.effort_budget, job.effort_budget / kHopelessShare);
    }
    auto outcome = run(job, make_schedule(job, *algorithm, parameters), options);
    if (!outcome) {
      candidates.skipped.push_back({.algorithm = algorithm->name, .reason = outcome.reason()});
      continue;
    }
    require_verified(outcome.value().verdict, one.choice);
    effort_left -= outcome.value().effort;
    std::string note = note_on(job, outcome.value());
    entries.push_back({.candidate = one, .run = std::move(outcome).value(), .note = std::move(note)});
    if (entries.back().timed()) fastest = std::min(fastest.value_or(entries.back().time()), entries.back().time());
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (group_of(a) != group_of(b)) return group_of(a) < group_of(b);
    return a.time() < b.time();
  });
  return entries;
}

}  // namespace muster
