// The pipeline behind `simulate` and behind every candidate of `plan`.
#include "plan/stages.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/saturating.h"
#include "plan/job.h"
#include "schedule/joined_lanes.h"
#include "schedule/phase.h"

namespace muster {

namespace {

/// Call k of a simulation makes its inputs from seed + k, so that a word left over from the call before shows.
Comparison compare_with_reference(const Job& job, const Schedule& flat, const Result& result) {
  Comparison total;
  if (result.fault) return total;
  std::uint64_t seed = job.seed;
  for (const Outputs& outputs : result.outputs) {
    const Outputs reference = interpret(flat, job.arithmetic, seed++);
    const Comparison comparison = compare_outputs(flat, reference, outputs, job.arithmetic);
    total.compared += comparison.compared;
    if (comparison.difference && !total.difference) total.difference = comparison.difference;
  }
  return total;
}

/// Of several calls.
bool is_within(std::int64_t cost, std::int64_t budget, const Job& job) { return cost <= budget / job.calls; }

Result simulate_program(const Job& job, const Program& program, const RunOptions& run, bool streams_only) {
  SimulateOptions options = simulate_options(job);
  options.streams_only = streams_only;
  options.most_effort = run.effort_budget;
  options.times_only = run.times_only;
  options.ends_only = true;  // reports show times of nodes only with their starts (run_times.h)
  if (job.progress) {
    options.progress = [&](Ticks now) {
      tell(job, fmt::format("simulating {}: cycle {}", run.name, grouped(now.value())));
    };
  }
  return simulator_of(job).simulate(program, options);
}

/// A flat schedule, and what it was lowered to or lifted from.
struct Lowered {
  const Schedule& flat;
  const Program& program;
};

/// What the fast simulator did not do, where the other one may not.
void hand_over(const RunOptions& options, Run& run) {
  run.handed_over = run.result->note;
  run.given_up = run.effort >= options.effort_budget;
  run.result.reset();
}

struct OwedWords {
  std::int64_t all = 0;
  std::int64_t last = 0;  ///< of these, last words of a vector
};

OwedWords owed_words(const Schedule& flat) {
  OwedWords owed;
  for (const Contract& contract : flat.contracts) {
    const auto ranks = static_cast<std::int32_t>(contract.ranks.size());
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      for (const Owed& owed_elements : owed_after(contract, rank)) {
        owed.all += owed_elements.range.end() - owed_elements.range.first;
        const std::int64_t last = contract.count - 1 - owed_elements.displacement;
        if (owed_elements.range.first <= last && last < owed_elements.range.end()) ++owed.last;
      }
    }
  }
  return owed;
}

/// A part with more words of results is not computed: so a flood over a wafer, which only copies, would take gigabytes.
constexpr std::int64_t kMostWordsOfAPart = std::int64_t{1} << 25;

/// Runs every part by itself and compares it with the reference, each of its elements; what the parts do together is proven.
void compare_parts(const Job& job, const Schedule& schedule, const Program& program, Run& run) {
  const std::vector<const Program*> programs = program.parts_of_schedule();
  Job alone = job;
  alone.calls = 1;
  SimulateOptions options = simulate_options(alone);
  options.data_only = true;
  for (std::size_t p = 0; p < programs.size(); ++p) {
    if (programs[p] == nullptr) continue;
    if (const std::int64_t words = owed_words(schedule.parts[p]).all; words > kMostWordsOfAPart) {
      if (!run.result->note.empty()) run.result->note += "; ";
      run.result->note +=
          fmt::format("part {} is proven, but its {} words of results were not computed", p, grouped(words));
      continue;
    }
    const Schedule flat = expand_in_lanes(schedule.parts[p]);
    const Result result = simulator_of(alone).simulate(*programs[p], options);
    if (result.fault && !run.comparison.difference) {
      run.comparison.difference = fmt::format("part {}: {}: {}", p, result.fault->kind, result.fault->message);
    }
    const Comparison comparison = compare_with_reference(alone, flat, result);
    run.comparison.compared += comparison.compared;
    if (comparison.difference && !run.comparison.difference) {
      run.comparison.difference = fmt::format("part {}: {}", p, *comparison.difference);
    }
    run.has_data = run.by_parts = true;
    run.elements += elements_compared(alone, flat, comparison.compared);
  }
}

/// The stages behind the lowering.
Run run_lowered(const Job& job, const Lowered& lowered, const RunOptions& options, Run run, bool streams_only) {
  const auto& [flat, program] = lowered;
  const Checker* const checker = checker_for(job.machine);
  if (checker != nullptr && job.engine == Engine::cycle && !simulator_of(job).includes_checks()) {
    tell(job, "checking " + options.name);
    run.check = checker->check(program);
    if (run.check->fault) {
      run.result = Result{.engine = "", .note = "", .fault = run.check->fault};
      return run;
    }
  }
  tell(job, "simulating " + options.name);
  run.result = simulate_program(job, program, options, streams_only);
  run.effort = run.result->effort;
  if (run.result->engine.empty()) {
    hand_over(options, run);
    return run;
  }
  run.has_data = !run.result->outputs.empty();
  run.comparison = compare_with_reference(job, flat, *run.result);
  run.elements = elements_compared(job, flat, run.comparison.compared);
  return run;
}

/// Whether the program can be computed part by part; a lowering may have written its phases out.
bool has_parts(const Program& program) {
  return std::ranges::any_of(program.parts_of_schedule(), [](const Program* part) { return part != nullptr; });
}

/// The stages after the proof, for lowerings that need no flat schedule. That is made only where there is data to compare.
Outcome<Run> run_phases(const Job& job, const Schedule& schedule, const RunOptions& options, Run run) {
  run.as_phases = overlaps_phases(job);
  if (options.is_limited() && !run.as_phases) run.load = load_of(schedule, job.machine);
  const bool few_hops = is_within(run.load.hops, options.hop_budget, job);
  if ((!follows_streams(job) || job.both_budgets) && !few_hops) return run;
  const auto program = lower_for(job, schedule);
  if (!program) return Refusal{program.reason()};
  if (options.timed != nullptr && has_parts(*program.value())) {
    tell(job, "computing " + options.name);
    run.result = *options.timed;
    compare_parts(job, schedule, *program.value(), run);
    return run;
  }
  tell(job, "simulating " + options.name);
  run.result = simulate_program(job, *program.value(), options, !few_hops);
  run.effort = run.result->effort;
  if (run.result->engine.empty()) {
    hand_over(options, run);
    return run;
  }
  run.has_data = !run.result->outputs.empty();
  if (run.has_data) {
    const Schedule flat = expand_in_lanes(schedule);
    run.comparison = compare_with_reference(job, flat, *run.result);
    run.elements = elements_compared(job, flat, run.comparison.compared);
  } else if (!run.result->fault && !options.times_only) {
    compare_parts(job, schedule, *program.value(), run);
  }
  return run;
}

}  // namespace

void note_check(const ProgramCheck& check, SimulationAnswer& answer) {
  answer.checked = !check.fault && check.unsupported.empty();
  if (check.finding) {
    answer.finding = fmt::format("{} at {}: {}", check.finding->kind, check.finding->location, check.finding->message);
  }
  answer.result.fault = check.fault;
}

RunOptions within_budget(const Job& job, const std::string& name) {
  return {.name = name,
          .hop_budget = job.hop_budget,
          .transit_budget = job.transit_budget,
          .effort_budget = job.effort_budget};
}

bool follows_streams(const Job& job) { return simulator_of(job).cost() == SimulationCost::transits; }

bool runs_phases(const Job& job) { return lowering_for(job.machine).takes_phases(); }

bool overlaps_phases(const Job& job) { return lowering_for(job.machine).overlaps_phases(); }

std::int64_t cost_of(const Job& job, const Load& load) {
  return saturating_product(follows_streams(job) ? load.transits : load.hops, job.calls);
}

Outcome<Run> run_stages(const Job& job, const Schedule& schedule, const RunOptions& options) {
  Run run;
  tell(job, "verifying " + options.name);
  run.verdict = verify(schedule, job.machine, {.seed = job.seed});
  if (!run.verdict.verified()) return run;

  if (runs_phases(job) && !schedule.is_flat()) return run_phases(job, schedule, options, std::move(run));
  const Schedule expanded = schedule.is_flat() ? Schedule() : expand_in_lanes(schedule);
  const Schedule& flat = schedule.is_flat() ? schedule : expanded;
  if (options.is_limited()) run.load = load_of(flat, job.machine);
  const bool few_hops = is_within(run.load.hops, options.hop_budget, job);
  const bool streams = follows_streams(job);
  if (streams && !is_within(run.load.transits, options.transit_budget, job)) return run;
  if ((!streams || job.both_budgets) && !few_hops) return run;
  const auto program = lower_for(job, flat);
  if (!program) return Refusal{program.reason()};
  return run_lowered(job, {flat, *program.value()}, options, std::move(run), !few_hops);
}

Run run_read(const Job& job, const Schedule& schedule, const Program& program, const RunOptions& options) {
  Run run;
  tell(job, "verifying " + options.name);
  run.verdict = verify(schedule, job.machine, {.seed = job.seed});
  if (!run.verdict.verified()) return run;
  return run_lowered(job, {schedule, program}, options, std::move(run), false);
}

std::int64_t elements_compared(const Job& job, const Schedule& flat, std::int64_t words) {
  const std::int64_t per_word = elements_per_word(job.arithmetic.type);
  if (pads_blocks(job)) return words / words_of(job) * job.count;
  const bool padded = job.count % per_word != 0;
  if (!padded) return words * per_word;
  const OwedWords owed = owed_words(flat);
  return owed.all == 0 ? 0 : words * per_word - words / owed.all * owed.last;
}

Outcome<std::unique_ptr<Program>> lower_for(const Job& job, const Schedule& schedule) {
  const LowerOptions options{.arithmetic = job.arithmetic, .options = job.options};
  const Lowering& lowering = lowering_for(job.machine);
  const bool as_it_is = schedule.is_flat() || lowering.takes_phases();
  return lowering.lower(as_it_is ? schedule : expand_in_lanes(schedule), job.machine, options);
}

void require_verified(const Verdict& verdict, const Choice& choice) {
  MUSTER_ASSERT(verdict.verified(), "the schedule of '{}' is wrong: {}", choice.algorithm->name,
                verdict.counterexample->message);
}

}  // namespace muster
