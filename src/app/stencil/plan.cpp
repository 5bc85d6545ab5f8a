#include "app/stencil/plan.h"

#include <algorithm>

#include "app/stencil/bounds.h"
#include "app/stencil/mesh.h"
#include "app/stencil/run.h"
#include "app/stencil/slots.h"
#include "base/counted.h"
#include "base/error.h"
#include "machine/family.h"
#include "plan/job.h"

namespace muster::stencil {
namespace {

/// Times the fewest blocks: beyond it, little is gained.
constexpr std::int64_t kMostBlocksMore = 16;

std::int64_t ceil_of(std::int64_t number, std::int64_t divisor) { return (number + divisor - 1) / divisor; }

Bytes memory_of(const Machine& machine) { return *machine.family().memory_per_rank(machine.network); }

StencilRate rate_of(const Asked& asked, Cycles cycles) {
  const auto& description = asked.description;
  const double seconds = seconds_of(asked.machine, cycles).value();
  const auto cells = static_cast<double>(description.all_cells()) * static_cast<double>(description.steps);
  return {.cycles_per_step = static_cast<double>(cycles.value()) / static_cast<double>(description.steps),
          .cells_per_second = seconds > 0 ? cells / seconds : 0};
}

StencilFacts facts_of(const Asked& asked, std::int64_t block) {
  const Description& description = asked.description;
  const Column column = column_of(description);
  const Bytes available = memory_of(asked.machine);
  StencilFacts facts{.grid = {description.columns, description.rows, description.cells},
                     .order = description.order,
                     .steps = description.steps,
                     .velocity = description.velocity,
                     .spacing = description.spacing,
                     .time_step = Seconds(description.time_step),
                     .cfl = description.cfl,
                     .block = block,
                     .blocks = ceil_of(description.cells, block)};
  const Bytes wavefields = muster::stencil::memory_of(column, 0) - column.code;
  const Bytes code(column.code.value() + column.code_per_block.value() * facts.blocks);
  facts.memory_used = muster::stencil::memory_of(column, block);
  facts.memory_available = available;
  facts.memory = {{"two wavefields", wavefields},
                  {"buffers of a block", facts.memory_used - wavefields - code},
                  {"program", code},
                  {"left", available - facts.memory_used}};
  facts.most_cells = largest_column(column, available).value_or(0);
  return facts;
}

CandidateAnswer predicted(const Asked& asked, std::int64_t block) {
  const Cycles cycles(predicted_cycles(asked.description, block, asked.machine));
  CandidateAnswer candidate{.algorithm = algorithm_name(asked.description),
                            .parameters = {{"block", block}},
                            .predicted_cycles = cycles,
                            .predicted_seconds = seconds_of(asked.machine, cycles)};
  return candidate;
}

/// Of a run, what a candidate shows; what went wrong is its note.
void add_run(const Asked& asked, const Run& run, CandidateAnswer& candidate) {
  if (!run.verdict.verified()) {
    candidate.failed = true;
    candidate.note = run.verdict.counterexample->message;
    return;
  }
  if (!run.correct()) {
    candidate.failed = true;
    candidate.note = run.result && run.result->fault ? run.result->fault->message
                                                     : run.comparison.difference.value_or("nothing was computed");
    return;
  }
  candidate.simulated_cycles = run.result->cycles;
  candidate.simulated_seconds = seconds_of(asked.machine, *run.result->cycles);
  candidate.utilization = run.result->utilization;
}

struct Entry {
  CandidateAnswer candidate;
  std::optional<Run> run;
};

Entry entry_of(const Asked& asked, std::int64_t block, bool is_quick) {
  Entry entry{.candidate = predicted(asked, block)};
  if (asked.quick) return entry;
  if (!is_quick) return entry;
  auto outcome = simulate_grid(job_of(asked), asked.description, block);
  if (!outcome) {
    entry.candidate.failed = true;
    entry.candidate.note = outcome.reason();
    return entry;
  }
  entry.run = std::move(outcome).value();
  add_run(asked, *entry.run, entry.candidate);
  return entry;
}

/// What failed comes last; simulated times decide where there are any, since either all candidates are simulated or none.
bool is_better(const Entry& a, const Entry& b) {
  const auto time = [](const CandidateAnswer& c) { return c.simulated_cycles.value_or(*c.predicted_cycles); };
  if (a.candidate.failed != b.candidate.failed) return b.candidate.failed;
  return time(a.candidate) < time(b.candidate);
}

/// Of a large grid only the best prediction is simulated.
void add_large_run(const Asked& asked, std::int64_t block, CandidateAnswer& candidate) {
  const auto outcome = simulate_grid(job_of(asked), asked.description, block);
  if (!outcome) {
    candidate.note = "not simulated: " + outcome.reason();
    return;
  }
  add_run(asked, outcome.value(), candidate);
  if (!candidate.failed) candidate.note = outcome.value().result->note + "; other blocks were not simulated";
}

SmallGrid small_run(const Asked& asked, std::int64_t block) {
  Asked small = asked;
  small.description = small_grid(asked.description);
  small.description.steps = 1;
  small.machine = with_grid_of(asked.machine, small.description);
  SmallGrid answer{.grid = grid_text(small.description),
                   .predicted = Cycles(predicted_cycles(small.description, block, small.machine))};
  auto outcome = simulate_grid(job_of(small), small.description, block);
  if (!outcome) {
    answer.fault = outcome.reason();
    return answer;
  }
  const Run run = std::move(outcome).value();
  CandidateAnswer candidate;
  add_run(small, run, candidate);
  answer.verified = run.verdict.verified();
  answer.error_probability = run.verdict.error_probability;
  answer.result_correct = run.correct();
  answer.cycles = candidate.simulated_cycles;
  answer.fault = candidate.note;
  return answer;
}

std::string why(const Asked& asked, const std::vector<Entry>& entries) {
  const auto block = entries.front().candidate.parameters.at("block").number;
  const std::int64_t slots = slots_per_cell(asked.description);
  std::string text =
      fmt::format("the datapath of a PE is the limit: {} per cell, and {} a step", counted(slots, "instruction"),
                  counted(ceil_of(asked.description.cells, block), "block"));
  if (entries.size() > 1 && asked.description.radius() > 1)
    text += "; the last block of a step waits for its neighbours' turns, which smaller blocks shorten";
  return text;
}

}  // namespace

std::string algorithm_name(const Description& description) {
  return description.radius() > 1 ? "broadcasts" : "two-colors";
}

std::vector<std::int64_t> blocks_to_try(const Description& description, Bytes memory) {
  if (description.block) return {*description.block};
  const std::int64_t fewest = choose_blocks(column_of(description), memory)->count;
  std::vector<std::int64_t> blocks;
  for (std::int64_t more = 1; more <= kMostBlocksMore; more *= 2) {
    const std::int64_t block = ceil_of(description.cells, fewest * more);
    if (muster::stencil::memory_of(column_of(description), block) > memory) break;
    if (blocks.empty() || block < blocks.back()) blocks.push_back(block);
  }
  return blocks;
}

void check(const Asked& asked) {
  check_mesh(asked.machine);
  check_memory(asked.description, memory_of(asked.machine));
}

Job job_of(const Asked& asked) {
  Job job = job_of(asked.machine, asked.description);
  job.seed = asked.seed;
  job.progress = asked.progress;
  return job;
}

Question question_of(const Asked& asked) {
  const Description& description = asked.description;
  const std::string text = grid_text(description);
  Question question{.machine = asked.machine.name, .collective = "stencil"};
  question.shape = {.sizes = {description.columns, description.rows, description.cells},
                    .text = text,
                    .with_unit = text + " cells",
                    .key = "grid",
                    .title = "grid"};
  question.of_family = asked.machine.family().facts(asked.machine, {});
  question.of_family.per_vector =
      fmt::format(" of order {}, {}", description.order, counted(description.steps, "step"));
  question.channel = "color";
  return question;
}

std::int64_t chosen_block(const Asked& asked) {
  std::vector<std::int64_t> blocks = blocks_to_try(asked.description, memory_of(asked.machine));
  const Description written = repeating_grid(asked.description);
  while (blocks.size() > 1 && too_large_to_write(written, blocks.back())) blocks.pop_back();
  return *std::ranges::min_element(
      blocks, {}, [&](std::int64_t block) { return predicted_cycles(asked.description, block, asked.machine); });
}

StencilPlanAnswer plan(const Asked& asked) {
  check(asked);
  std::vector<Entry> entries;
  const std::vector<std::int64_t> blocks = blocks_to_try(asked.description, memory_of(asked.machine));
  const bool is_quick =
      std::ranges::all_of(blocks, [&](std::int64_t block) { return stencil::is_quick(asked.description, block); });
  for (const std::int64_t block : blocks) entries.push_back(entry_of(asked, block, is_quick));
  std::ranges::stable_sort(entries, is_better);
  const Entry& first = entries.front();
  const std::int64_t block = first.candidate.parameters.at("block").number;
  StencilPlanAnswer answer{.facts = facts_of(asked, block)};
  answer.plan.question = question_of(asked);
  answer.plan.bounds = bounds_of(asked.description, asked.machine);
  answer.plan.predicted_only = asked.quick;
  for (const Entry& entry : entries) {
    answer.plan.candidates.push_back(entry.candidate);
    answer.plan.failed = answer.plan.failed || entry.candidate.failed;
  }
  answer.plan.why = why(asked, entries);
  if (first.run) {
    answer.plan.verified = first.run->verdict.verified();
    answer.plan.error_probability = first.run->verdict.error_probability;
    answer.plan.result_correct = first.run->correct();
  } else {
    answer.plan.starred_by = StarredBy::prediction;
    if (!asked.quick) {
      add_large_run(asked, block, answer.plan.candidates.front());
      if (answer.plan.candidates.front().simulated_cycles) answer.plan.starred_by = StarredBy::simulation;
      answer.small_grid = small_run(asked, block);
    }
  }
  const CandidateAnswer& best = answer.plan.candidates.front();
  answer.rate = rate_of(asked, best.simulated_cycles.value_or(*best.predicted_cycles));
  return answer;
}

Schedule make_schedule(const Asked& asked) {
  check(asked);
  const std::int64_t block = chosen_block(asked);
  if (const auto reason = too_large_to_write(asked.description, block)) reject("--grid: {}", *reason);
  return make_time_steps(time_step_of(asked.description, block), asked.description.steps);
}

namespace {

double busy_of(const Result& result) {
  const auto found = std::ranges::find(result.resources, "processor", &Resource::name);
  return found == result.resources.end() ? 0 : found->utilization;
}

}  // namespace

StencilRunAnswer simulate(const Asked& asked) {
  check(asked);
  const std::int64_t block = chosen_block(asked);
  auto outcome = simulate_grid(job_of(asked), asked.description, block);
  if (!outcome) reject("--grid: {}; 'muster plan' predicts it", outcome.reason());
  Run run = std::move(outcome).value();
  const CandidateAnswer candidate = predicted(asked, block);
  StencilRunAnswer answer{.facts = facts_of(asked, block)};
  answer.run.question = question_of(asked);
  answer.run.algorithm = candidate.algorithm;
  answer.run.parameters = candidate.parameters;
  answer.run.predicted_cycles = candidate.predicted_cycles;
  answer.run.predicted_seconds = candidate.predicted_seconds;
  answer.run.bound = best_bound(bounds_of(asked.description, asked.machine));
  answer.run.verified = run.verdict.verified();
  answer.run.error_probability = run.verdict.error_probability;
  if (!answer.run.verified) answer.run.refusal = run.verdict.counterexample->message;
  answer.run.result_correct = run.correct();
  answer.run.result_computed = !run.result || run.computed();
  answer.run.checked_elements = run.comparison.compared;
  answer.run.difference = run.comparison.difference.value_or("");
  if (run.check) note_check(*run.check, answer.run);
  if (!run.result) return answer;
  answer.run.result = std::move(*run.result);
  answer.busy = busy_of(answer.run.result);
  if (answer.run.result.cycles) answer.rate = rate_of(asked, *answer.run.result.cycles);
  return answer;
}

}  // namespace muster::stencil
