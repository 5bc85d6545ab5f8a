// The functions that users call: each makes a job, asks the pipeline, and turns its answer into plain values.
#include "library/state.h"
#include "plan/job.h"
#include "plan/made_for.h"
#include "schedule/text.h"
#include "study/plan.h"

namespace muster::library {
namespace {

Candidate candidate_of(const CandidateAnswer& answer) {
  Candidate candidate{.algorithm = answer.algorithm,
                      .parameters = parameters_of(answer.parameters),
                      .predicted = time_of(answer.predicted_cycles, answer.predicted_seconds),
                      .simulated = {},
                      .note = answer.note};
  if (answer.simulated_seconds) candidate.simulated = time_of(answer.simulated_cycles, *answer.simulated_seconds);
  return candidate;
}

Plan plan_of(const PlanAnswer& answer) {
  Plan plan;
  for (const BoundAnswer& bound : answer.bounds) plan.bounds.push_back(bound_of(bound));
  for (const CandidateAnswer& candidate : answer.candidates) plan.candidates.push_back(candidate_of(candidate));
  for (const SkippedAnswer& skipped : answer.skipped) plan.skipped.push_back({skipped.algorithm, skipped.reason});
  plan.verified = answer.verified;
  plan.result_correct = answer.result_correct;
  plan.why = answer.why;
  plan.crossover = answer.crossover;
  return plan;
}

std::string problem_of(const SimulationAnswer& answer) {
  if (!answer.refusal.empty()) return answer.refusal;
  if (answer.result.fault) return fmt::format("{}: {}", answer.result.fault->kind, answer.result.fault->message);
  return answer.difference;
}

Simulation simulation_of(const Job& job, const SimulationAnswer& answer) {
  Simulation simulation{.algorithm = answer.algorithm,
                        .parameters = parameters_of(answer.parameters),
                        .predicted = {},
                        .simulated = {},
                        .bound = {},
                        .verified = answer.verified,
                        .result_correct = answer.result_correct,
                        .problem = problem_of(answer)};
  if (answer.predicted_seconds) simulation.predicted = time_of(answer.predicted_cycles, *answer.predicted_seconds);
  if (answer.refusal.empty() && !answer.result.fault) {
    simulation.simulated = time_of(shown_cycles(job.machine, answer.result.cycles), answer.result.seconds);
  }
  if (answer.bound) simulation.bound = bound_of(*answer.bound);
  return simulation;
}

/// What is at the top of emitted files, instead of a command line.
std::string origin(const Job& job, const std::string& algorithm, const Parameters& parameters) {
  const auto question = question_of(job);
  const std::string vector = question.type.empty() ? "" : fmt::format(" of {} {}", question.count, question.type);
  std::string text = fmt::format("muster::emit: {}{} on {}, {}, by {}", question.collective, vector, question.machine,
                                 shape_text(job.machine), algorithm);
  for (const auto& [name, value] : parameters) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace

Parameters parameters_of(const ParameterValues& values) {
  Parameters parameters;
  for (const auto& [name, value] : values) parameters[name] = value.text();
  return parameters;
}

Time time_of(std::optional<Cycles> cycles, Seconds seconds) {
  Time time{.cycles = {}, .seconds = seconds.value()};
  if (cycles) time.cycles = cycles->value();
  return time;
}

Bound bound_of(const BoundAnswer& bound) {
  return {.name = bound.name,
          .proves = bound.proves,
          .time = time_of(bound.cycles, bound.seconds),
          .for_pipeline = bound.for_pipeline};
}

Plan plan(const Question& question) {
  return guarded([&] {
    if (!question.algorithm.empty()) {
      reject("algorithm: a plan compares all of them; leave '{}' out, or ask simulate()", question.algorithm);
    }
    if (!question.parameters.empty()) reject("parameters: a plan compares all algorithms; leave them out");
    return plan_of(::muster::plan(job_of(question)));
  });
}

Simulation simulate(const Question& question) {
  return guarded([&] {
    const Job job = job_of(question);
    return simulation_of(job, ::muster::simulate(job, choice_of(question, job)));
  });
}

Emission emit(const Question& question, const std::string& target) {
  return guarded([&] {
    const Job job = job_of(question);
    const Choice choice = choice_of(question, job);
    Emission emission;
    emission.algorithm = choice.algorithm->name;
    emission.parameters = parameters_of(shown_parameters(*choice.algorithm, choice.parameters));
    EmitOptions options;
    options.target = target;
    options.command = origin(job, emission.algorithm, emission.parameters);
    options.elements = job.count;
    ::muster::Emission made = ::muster::emit(job, choice, options);
    for (EmittedFile& file : made.files) emission.files.push_back({std::move(file.name), std::move(file.text)});
    emission.summary = std::move(made.summary);
    emission.notes = std::move(made.notes);
    return emission;
  });
}

Verdict verify(const Machine& machine, const std::string& schedule) {
  return guarded([&] {
    const Schedule parsed = parse_schedule(schedule, "schedule");
    require_made_for(parsed, machine.state().machine, "schedule");
    const VerifyAnswer answer = verify_schedule(parsed, machine.state().machine, {});
    return Verdict{.verified = answer.verified,
                   .counterexample = answer.counterexample ? answer.counterexample->message : "",
                   .error_probability = answer.error_probability,
                   .nodes = answer.nodes,
                   .streams = answer.streams,
                   .steps = answer.steps};
  });
}

}  // namespace muster::library
