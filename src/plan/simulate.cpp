// `muster simulate`: one schedule through all stages.
#include <numeric>
#include <utility>

#include "base/error.h"
#include "machine/routing.h"
#include "plan/job.h"
#include "plan/stages.h"

namespace muster {

namespace {

/// Whether the schedule's contract is the job's question over the whole machine: only then do the job's bounds hold for
/// it.
bool answers_job(const Schedule& schedule, const Job& job) {
  if (schedule.contracts.size() != 1) return false;
  const Contract& contract = schedule.contracts.front();
  std::vector<NodeId> all(static_cast<std::size_t>(rank_count(job.machine)));
  std::iota(all.begin(), all.end(), 0);
  return contract.collective == job.collective && contract.root == job.root && contract.ranks == all &&
         contract.count == request_of(job).count && contract.blocks.empty() && !is_partly_in_place(contract);
}

/// A schedule from elsewhere was told nothing: its contracts say who has a vector.
void forget_algorithm(Question& question) {
  question.of_family.per_vector.clear();
  for (Fact& fact : question.of_family.facts) {
    if (fact.of_algorithms) fact.value = {};
  }
}

/// `is_answer`: whether the schedule does what the job asks for.
SimulationAnswer answer_of(const Job& job, const std::string& name, Run run, bool is_answer) {
  SimulationAnswer answer{.question = question_of(job), .algorithm = name};
  answer.calls = job.calls;
  answer.verified = run.verdict.verified();
  answer.error_probability = run.verdict.error_probability;
  if (!answer.verified) answer.refusal = run.verdict.counterexample->message;
  if (is_answer) answer.bound = best_bound(bounds_of(job));
  answer.result_correct = run.correct();
  answer.result_computed = !run.result || run.computed();
  answer.checked_elements = run.elements;
  answer.checked_by_parts = run.by_parts;
  answer.difference = run.comparison.difference.value_or("");
  if (run.check) note_check(*run.check, answer);
  if (run.result) answer.result = std::move(*run.result);
  answer.result.cycles = shown_cycles(job.machine, answer.result.cycles);
  for (const Ticks end : answer.result.call_cycles) answer.call_ends.push_back(seconds_of(job.machine, end));
  if (!time_base_of(job.machine).is_clock) answer.result.call_cycles.clear();
  return answer;
}

}  // namespace

namespace {

SimulationAnswer run_schedule(const Job& job, const Schedule& schedule, const std::string& name, bool is_answer) {
  auto outcome = run_stages(job, schedule, {.name = name});
  if (!outcome) reject("{}", outcome.reason());
  return answer_of(job, name, std::move(outcome).value(), is_answer);
}

}  // namespace

SimulationAnswer simulate(const Job& job, const Choice& choice) {
  check_job(job);
  require_plans(job.machine);
  const Request request = request_of(job);
  SimulationAnswer answer =
      run_schedule(job, make_schedule(job, *choice.algorithm, choice.parameters), choice.algorithm->name, true);
  MUSTER_ASSERT(answer.verified, "the schedule of '{}' is wrong: {}", choice.algorithm->name, answer.refusal);
  answer.parameters = shown_parameters(*choice.algorithm, choice.parameters);
  const Ticks predicted = choice.algorithm->cost(request, choice.parameters);
  answer.predicted_cycles = shown_cycles(job.machine, predicted);
  answer.predicted_seconds = seconds_of(job.machine, predicted);
  return answer;
}

SimulationAnswer simulate_lifted(const Job& job, const Schedule& schedule, const Program& program,
                                 const std::string& name) {
  check_job(job);
  SimulationAnswer answer =
      answer_of(job, name, run_read(job, schedule, program, {.name = name}), answers_job(schedule, job));
  forget_algorithm(answer.question);
  return answer;
}

SimulationAnswer simulate(const Job& job, const Schedule& schedule) {
  check_job(job);
  SimulationAnswer answer = run_schedule(job, schedule, "schedule", answers_job(schedule, job));
  forget_algorithm(answer.question);
  return answer;
}

}  // namespace muster
