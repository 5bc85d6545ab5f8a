// `muster plan`: every algorithm that supports the job, proven, simulated and ranked.
#include "study/plan.h"

#include <utility>

#include "plan/candidates.h"
#include "plan/job.h"
#include "plan/load.h"
#include "plan/ranking.h"
#include "study/crossover.h"
#include "study/families.h"
#include "study/why.h"

namespace muster {

namespace {

Contender contender_of(const Entry& entry) {
  return {.name = entry.name(),
          .load = entry.run.load,
          .time = entry.time(),
          .as_phases = entry.run.as_phases,
          .utilization = entry.run.result ? entry.run.result->utilization : 0};
}

/// Where nothing but predictions can be compared.
std::string by_prediction(const Entry& winner, const Entry& other) {
  const double ratio =
      static_cast<double>(other.candidate.predicted.value()) / static_cast<double>(winner.candidate.predicted.value());
  return fmt::format("{} wins by far: the runner-up, {}, is predicted to take {:.1f} times as long", winner.name(),
                     other.name(), ratio);
}

/// The runner-up may be one that was not made because it is too slow.
std::string why_it_beats(const Job& job, const Entry& winner, const Entry& other) {
  Contender runner_up = contender_of(other);
  if (other.predicted_only) {
    if (winner.run.as_phases) return by_prediction(winner, other);
    const auto& [algorithm, parameters] = other.candidate.choice;
    runner_up.load = load_of(make_schedule(job, *algorithm, parameters), job.machine);
  }
  return why_it_wins(job.machine, contender_of(winner), runner_up);
}

std::string why(const Job& job, const std::vector<Entry>& entries) {
  if (entries.empty() || entries.front().failed() || entries.front().predicted_only) return "";
  if (entries.size() == 1) return fmt::format("{} is the only algorithm that fits", entries.front().name());
  if (entries[1].failed()) return fmt::format("{} is the only algorithm that works", entries.front().name());
  const std::string text = why_it_beats(job, entries[0], entries[1]);
  return entries[0].timed() ? text : "by prediction, " + text;
}

/// Says in the winner's note for which targets it cannot be written, and where it takes longer as written. What was not
/// simulated is not lowered either: it may be too large.
void note_targets(const Job& job, PlanAnswer& answer) {
  if (answer.candidates.empty() || !answer.candidates.front().simulated_seconds) return;
  CandidateAnswer& winner = answer.candidates.front();
  const Choice choice = choose(job, winner.algorithm, parameters_behind(winner.parameters));
  const OnTargets targets = on_targets(job, choice);
  for (const std::string& remark : targets.remarks) winner.note += (winner.note.empty() ? "" : "; ") + remark;
  answer.emittable = targets.emittable;
}

}  // namespace

PlanAnswer plan_with(const Job& job, const RunFunction& run, const RankOptions& options) {
  Ranking ranking = rank(job, run, options);
  PlanAnswer answer = std::move(ranking.answer);
  if (answer.why.empty()) answer.why = why(job, ranking.entries);
  if (!overlaps_phases(job) && !options.quick) answer.crossover = crossover_text(job, ranking.entries, run);
  return answer;
}

PlanAnswer plan(const Job& job, const RankOptions& options) {
  check_job(job);
  require_plans(job.machine);
  PlanAnswer answer = plan_with(job, run_stages, options);
  check_reserved(job, answer);
  if (options.quick) return answer;
  note_targets(job, answer);
  const auto add_own = studies_of(job.machine).add_to_plan;
  if (add_own != nullptr && !answer.candidates.empty()) add_own(job, answer);
  return answer;
}

}  // namespace muster
