#include "app/stencil/run.h"

#include <algorithm>

#include "base/counted.h"

namespace muster::stencil {
namespace {

/// Of the data that the reference computes: seconds.
constexpr std::int64_t kMostCellSteps = 100'000'000;

std::int64_t blocks_of(const Description& description, std::int64_t block) {
  return (description.cells + block - 1) / block;
}

/// As many columns, or rows, but for whole rounds of turns in the middle.
NodeId shortened(NodeId length, NodeId radius) {
  const NodeId round = radius + 1;
  const NodeId least = 3 * round;
  return length <= least + round ? length : least + (length - least) % round;
}

}  // namespace

Job job_of(const Machine& machine, const Description& description) {
  Job job{.machine = machine, .collective = Collective::stencil, .count = description.cells};
  job.engine = Engine::cycle;
  return job;
}

std::optional<std::string> too_large(const Description& description, std::int64_t block) {
  const std::int64_t pes = std::int64_t{description.columns} * description.rows;
  const std::int64_t blocks = blocks_of(description, block);
  if (pes > kMostBlocks / blocks) {
    return fmt::format("{} PEs of {} each are more than the {} blocks that are simulated one by one", grouped(pes),
                       counted(blocks, "block"), grouped(kMostBlocks));
  }
  if (description.steps > kMostCellSteps / description.all_cells()) {
    return fmt::format("{} cells and {} are more than the {} cells that are computed one by one",
                       grouped(description.all_cells()), counted(description.steps, "step"), grouped(kMostCellSteps));
  }
  return std::nullopt;
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
