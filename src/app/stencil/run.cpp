#include "app/stencil/run.h"

#include "app/stencil/mesh.h"
#include "app/stencil/slots.h"
#include "backend/capabilities.h"
#include "base/counted.h"
#include "base/saturating.h"
#include "plan/job.h"
#include "schedule/verify.h"

namespace muster::stencil {
namespace {

/// Blocks of all PEs, each some thirty steps of a schedule.
constexpr std::int64_t kMostBlocks = 50'000;
/// Instructions of a cell that all PEs execute, about three million a second.
constexpr std::int64_t kMostSlots = 500'000'000;
constexpr std::int64_t kQuickSlots = 15'000'000;

std::int64_t blocks_of(const Description& description, std::int64_t block) {
  return (description.cells + block - 1) / block;
}

std::int64_t slots_of_all(const Description& description) {
  return saturating_product(saturating_product(description.all_cells(), slots_per_cell(description)),
                            description.steps);
}

/// As many columns, or rows, but for whole rounds of turns in the middle.
NodeId shortened(NodeId length, NodeId radius) {
  const NodeId round = radius + 1;
  const NodeId least = 3 * radius + 1;  // of the PEs that are far from both edges, one for each turn
  return length <= least ? length : least + (length - least) % round;
}

/// As many columns, or rows, but for whole rounds of turns in the middle; enough of them to see that they repeat.
NodeId repeating(NodeId length, NodeId radius) {
  const NodeId round = radius + 1;
  const NodeId least = 4 * radius + 3 * round;
  return length <= least ? length : least + (length - least) % round;
}

/// Steps that are simulated of a large grid; later ones take as long as the last ones of these in the mean.
constexpr std::int64_t kFirstSteps = 2, kMostSteps = 5;

Outcome<std::unique_ptr<Program>> widened_program(const Job& job, const Job& small, const Schedule& schedule,
                                                  std::int32_t reach) {
  const auto program = lower_for(small, schedule);
  if (!program) return Refusal{program.reason()};
  return lowering_for(job.machine).widened(*program.value(), job.machine, reach);
}

/// A grid without borders, which is what the PEs of a large one do until a border could reach them. Times only.
Result without_borders(const Job& job, const Program& program) {
  SimulateOptions options = simulate_options(job);
  options.times_only = options.borderless = true;
  return simulator_of(job).simulate(program, options);
}

/// The time steps of a small grid, proven and lowered, on the whole grid: what a PE does follows from the PEs around it, and each of the
/// whole grid has one like it in the small grid.
Outcome<Run> simulate_widened(const Job& job, const Description& description, std::int64_t block) {
  const Description small = repeating_grid(description);
  if (auto reason = too_large_to_write(small, block)) return Refusal{*reason};
  const Job small_job = job_of(with_grid_of(job.machine, small), small);
  const TimeStep step = time_step_of(small, block);
  Run run;
  tell(job, "proving the stencil on " + grid_text(small));
  run.verdict = verify(make_time_steps(step, description.steps), small_job.machine, {});
  if (!run.verdict.verified()) return run;
  tell(job, "simulating the stencil");
  std::vector<std::int64_t> cycles;
  for (const std::int64_t steps : {std::min(kFirstSteps, description.steps), std::min(kMostSteps, description.steps)}) {
    const auto program = widened_program(job, small_job, make_time_steps(step, steps), description.radius());
    if (!program) return Refusal{program.reason()};
    run.result = without_borders(job, *program.value());
    if (run.result->engine.empty()) return Refusal{*too_large(description, block)};  // too narrow to do without borders
    if (run.result->fault || !run.result->cycles) return run;
    cycles.push_back(run.result->cycles->value());
  }
  run.result->note += "; loads are those of these PEs";
  if (description.steps > kMostSteps) {
    const std::int64_t more = description.steps - kMostSteps, measured = kMostSteps - kFirstSteps;
    const Cycles all(cycles[1] + (cycles[1] - cycles[0]) * more / measured);
    run.result->cycles = all;
    run.result->call_cycles = {all};
    run.result->seconds = seconds_of(job.machine, all);
    run.result->note += fmt::format(" in {} steps; each later step counts as the mean of steps {} to {}", kMostSteps,
                                    kFirstSteps + 1, kMostSteps);
  }
  return run;
}

}  // namespace

Job job_of(const Machine& machine, const Description& description) {
  Job job{.machine = machine, .collective = Collective::stencil, .count = description.cells};
  job.engine = Engine::cycle;
  return job;
}

std::optional<std::string> too_large_to_write(const Description& description, std::int64_t block) {
  const std::int64_t pes = std::int64_t{description.columns} * description.rows;
  const std::int64_t blocks = blocks_of(description, block);
  if (pes <= kMostBlocks / blocks) return std::nullopt;
  return fmt::format("{} with {} each have more than the {} blocks that are written out one by one; use a smaller grid",
                     counted(pes, "PE"), counted(blocks, "block"), grouped(kMostBlocks));
}

std::optional<std::string> too_large(const Description& description, std::int64_t block) {
  if (auto reason = too_large_to_write(description, block)) return reason;
  if (slots_of_all(description) <= kMostSlots) return std::nullopt;
  return fmt::format("{} in {} take too long to be simulated one by one; use a smaller grid or fewer steps",
                     counted(description.all_cells(), "cell"), counted(description.steps, "step"));
}

bool is_quick(const Description& description, std::int64_t block) {
  return !too_large(description, block) && slots_of_all(description) <= kQuickSlots;
}

Outcome<Run> simulate_grid(const Job& job, const Description& description, std::int64_t block) {
  if (too_large(description, block)) return simulate_widened(job, description, block);
  return run_stages(job, make_time_steps(time_step_of(description, block), description.steps), {.name = "the stencil"});
}

Description repeating_grid(const Description& description) {
  Description small = description;
  small.columns = repeating(description.columns, description.radius());
  small.rows = repeating(description.rows, description.radius());
  return small;
}

Description small_grid(const Description& description) {
  Description small = description;
  small.columns = shortened(description.columns, description.radius());
  small.rows = shortened(description.rows, description.radius());
  return small;
}

}  // namespace muster::stencil
