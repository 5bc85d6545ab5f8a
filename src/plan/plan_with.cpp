// Candidates, ranked, and the answer made of them.
#include "plan/plan_with.h"

#include <utility>

#include "plan/crossover.h"
#include "plan/explain.h"
#include "plan/job.h"
#include "plan/ranking.h"

namespace muster {

namespace {

/// For a collective that no algorithm of the family is for.
std::string what_exists(const Job& job) {
  const std::string family = family_name(job.machine);
  return fmt::format("there is no algorithm for {} on a {}; there are some for: {}", collective_name(job.collective),
                     family, fmt::join(collectives_of(family), ", "));
}

std::string why(const Job& job, const std::vector<Entry>& entries) {
  if (entries.empty() || entries.front().failed()) return "";
  if (entries.size() == 1) return fmt::format("{} is the only algorithm that fits", entries.front().name());
  if (entries[1].failed()) return fmt::format("{} is the only algorithm that works", entries.front().name());
  const auto contender = [](const Entry& entry) {
    return Contender{.name = entry.name(),
                     .load = entry.run.load,
                     .time = entry.time(),
                     .as_phases = entry.run.as_phases,
                     .utilization = entry.run.result ? entry.run.result->utilization : 0};
  };
  return why_it_wins(job.machine, contender(entries[0]), contender(entries[1]));
}

}  // namespace

PlanAnswer plan_with(const Job& job, const RunFunction& run) {
  check_job(job);
  Candidates candidates = candidates_for(request_of(job), job.given);
  const std::vector<Entry> entries = ranked_entries(job, candidates, run);

  PlanAnswer answer{.question = question_of(job), .bounds = bounds_of(job)};
  for (const Entry& entry : entries) {
    answer.candidates.push_back(candidate_answer(job, entry));
    answer.failed = answer.failed || entry.failed();
  }
  answer.skipped = std::move(candidates.skipped);
  if (!entries.empty()) {
    const Run& best = entries.front().run;
    answer.verified = best.verdict.verified();
    answer.result_correct = best.correct();
    answer.result_computed = !best.result || best.computed();
    answer.error_probability = best.verdict.error_probability;
    std::string& note = answer.candidates.front().note;
    if (note.empty()) note = remark_on_predictions(job.machine);
  }
  answer.why = answer.candidates.empty() && answer.skipped.empty() ? what_exists(job) : why(job, entries);
  if (!runs_phases(job)) answer.crossover = crossover_text(job, entries, run);
  return answer;
}

}  // namespace muster
