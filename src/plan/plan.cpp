// `muster plan`: every algorithm that supports the job, proven, simulated and ranked.
#include "plan/plan.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "plan/candidates.h"
#include "plan/crossover.h"
#include "plan/explain.h"
#include "plan/job.h"
#include "plan/stages.h"

namespace muster {

namespace {

/// A candidate after its run.
struct Entry {
  Candidate candidate;
  Run run;
  std::string note;  ///< why there is no simulated time
  [[nodiscard]] bool timed() const { return run.correct() && run.result->cycles.has_value(); }
  [[nodiscard]] Cycles time() const { return timed() ? *run.result->cycles : candidate.predicted; }
  [[nodiscard]] const std::string& name() const { return candidate.choice.algorithm->name; }
};

std::string note_on(const Job& job, const Run& run) {
  if (!run.result) {
    return fmt::format("not simulated: {} hops, more than the budget of {}", grouped(run.load.hops * job.calls),
                       grouped(job.hop_budget));
  }
  if (run.result->fault) return fmt::format("{}: {}", run.result->fault->kind, run.result->fault->message);
  return run.comparison.difference ? "wrong result: " + *run.comparison.difference : "";
}

/// Makes, proves, lowers and simulates every candidate; those whose lowering is refused are skipped.
std::vector<Entry> run_candidates(const Job& job, const std::vector<Candidate>& candidates,
                                  std::vector<SkippedAnswer>& skipped) {
  const Request request = request_of(job);
  std::vector<Entry> entries;
  for (const Candidate& one : candidates) {
    const auto& [algorithm, parameters] = one.choice;
    const Schedule schedule = algorithm->make(request, parameters);
    auto outcome = run_stages(job, schedule, {.name = algorithm->name, .hop_budget = job.hop_budget});
    if (!outcome) {
      skipped.push_back({.algorithm = algorithm->name, .reason = outcome.reason()});
      continue;
    }
    require_verified(outcome.value().verdict, one.choice);
    std::string note = note_on(job, outcome.value());
    entries.push_back({.candidate = one, .run = std::move(outcome).value(), .note = std::move(note)});
  }
  return entries;
}

/// Simulated times first, the best of them first; the order of predictions decides between equals.
void rank(std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (a.timed() != b.timed()) return a.timed();
    return a.time() < b.time();
  });
}

CandidateAnswer answer_for(const Job& job, const Entry& entry) {
  CandidateAnswer answer{.algorithm = entry.name(), .parameters = entry.candidate.choice.parameters};
  answer.predicted_cycles = entry.candidate.predicted;
  answer.predicted_seconds = seconds_of(job.machine, entry.candidate.predicted);
  answer.note = entry.note;
  if (entry.timed()) {
    answer.simulated_cycles = entry.run.result->cycles;
    answer.simulated_seconds = entry.run.result->seconds;
  }
  return answer;
}

std::string why(const Job& job, const std::vector<Entry>& entries) {
  if (entries.empty()) return "";
  if (entries.size() == 1) return fmt::format("{} is the only algorithm that fits", entries.front().name());
  const auto contender = [](const Entry& entry) {
    return Contender{.name = entry.name(), .load = entry.run.load, .time = entry.time()};
  };
  return why_it_wins(job.machine, contender(entries[0]), contender(entries[1]));
}

}  // namespace

PlanAnswer plan(const Job& job) {
  check_job(job);
  require_backend(job.machine);
  Candidates candidates = candidates_for(request_of(job));
  std::vector<Entry> entries = run_candidates(job, candidates.offered, candidates.skipped);
  rank(entries);

  PlanAnswer answer{.question = question_of(job), .bounds = bounds_of(job)};
  for (const Entry& entry : entries) answer.candidates.push_back(answer_for(job, entry));
  answer.skipped = std::move(candidates.skipped);
  if (!entries.empty()) {
    const Run& best = entries.front().run;
    answer.verified = best.verdict.verified();
    answer.result_correct = best.correct();
    answer.error_probability = best.verdict.error_probability;
  }
  answer.why = why(job, entries);
  answer.crossover = crossover_text(job);
  return answer;
}

}  // namespace muster
