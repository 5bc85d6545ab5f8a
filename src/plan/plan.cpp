// `muster plan`: every algorithm that supports the job, proven, simulated and ranked.
#include "plan/plan.h"

#include "plan/candidates.h"
#include "plan/job.h"
#include "plan/plan_with.h"
#include "plan/tree_crossover.h"

namespace muster {

namespace {

/// Says in the winner's note for which targets it cannot be written, and where it takes longer as written. What was not
/// simulated is not lowered either: it may be too large.
void note_targets(const Job& job, PlanAnswer& answer) {
  if (answer.candidates.empty() || !answer.candidates.front().simulated_cycles) return;
  CandidateAnswer& winner = answer.candidates.front();
  const Choice choice = choose(job, winner.algorithm, parameters_behind(winner.parameters));
  for (const std::string& remark : remarks_on_targets(job, choice)) {
    winner.note += (winner.note.empty() ? "" : "; ") + remark;
  }
}

/// Where nodes have vectors, only trees fit, and how many of them is the only question of a crossover.
void add_trees(const Job& job, PlanAnswer& answer) {
  if (answer.candidates.empty()) return;
  answer.trees = compare_trees(job);
  if (!answer.trees) return;
  const std::string text = tree_crossover_text(job, *answer.trees);
  answer.crossover = job.vector_per_node || answer.crossover.empty() ? text : answer.crossover + "; " + text;
}

}  // namespace

PlanAnswer plan(const Job& job) {
  check_job(job);
  require_backend(job.machine);
  PlanAnswer answer = plan_with(job, run_stages);
  check_colors(job, answer);
  note_targets(job, answer);
  add_trees(job, answer);
  return answer;
}

}  // namespace muster
