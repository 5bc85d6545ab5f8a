#include "app/stencil/run.h"

#include "app/stencil/slots.h"
#include "base/counted.h"
#include "base/saturating.h"

namespace muster::stencil {
namespace {

/// Blocks of all PEs, each some thirty steps of a schedule.
constexpr std::int64_t kMostBlocks = 20'000;
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
  if (const auto reason = too_large(description, block)) return Refusal{*reason};
  return run_stages(job, make_time_steps(time_step_of(description, block), description.steps), {.name = "the stencil"});
}

Description small_grid(const Description& description) {
  Description small = description;
  small.columns = shortened(description.columns, description.radius());
  small.rows = shortened(description.rows, description.radius());
  return small;
}

}  // namespace muster::stencil
