// Where the cycles of a stencil go: the work of the PE in the middle, what the simulation of a grid, or of a small one, measures, and the
// counts of operations and accesses beside those of the publication.
#include <algorithm>

#include "app/stencil/bounds.h"
#include "app/stencil/counts.h"
#include "app/stencil/mesh.h"
#include "app/stencil/plan.h"
#include "app/stencil/run.h"
#include "app/stencil/slots.h"
#include "base/counted.h"
#include "base/error.h"

namespace muster::stencil {
namespace {

using Row = StencilExplainAnswer::CountsRow;

Row row_of(const std::string& name, const Counts& counts) {
  return {.name = name,
          .arithmetic = counts.cycles,
          .operations = counts.operations,
          .accesses = counts.accesses,
          .received = counts.received,
          .sent = counts.sent};
}

/// The published ways to count know three dimensions and the whole neighbourhood.
std::vector<Row> counts_of(const Description& description, std::int64_t block) {
  const int radius = description.radius();
  return {row_of("this program", counts_of(program_instructions(radius), block)),
          row_of("as section IV describes it", counts_of(instructions_of(radius), block)),
          row_of("as Table IV counts", counts_of(tabulated_instructions(radius), block)),
          row_of("as the text counts", counts_of(described_instructions(radius), block))};
}

/// The grid, or a small one with its neighbourhoods.
Asked measurable(const Asked& asked, std::int64_t block) {
  if (is_quick(asked.description, block)) return asked;
  Asked small = asked;
  small.description = small_grid(asked.description);
  small.description.steps = 1;
  small.machine = with_grid_of(asked.machine, small.description);
  return small;
}

std::vector<StencilExplainAnswer::Work> work_of(const Description& description, double cycles_per_cell) {
  std::vector<StencilExplainAnswer::Work> all;
  double left = 1;
  for (const SlotsOf& of : slots_of(description)) {
    const double share = static_cast<double>(of.slots) / cycles_per_cell;
    all.push_back({.name = of.name, .what = of.what, .slots = of.slots, .share = share});
    left -= share;
  }
  all.push_back(
      {.name = "wait", .what = "for the first words of a block, and for neighbours", .share = std::max(0.0, left)});
  return all;
}

}  // namespace

StencilExplainAnswer explain(const Asked& asked) {
  check(asked);
  Asked fixed = asked;
  fixed.description.block = chosen_block(asked);
  const Asked measured = measurable(fixed, *fixed.description.block);
  const StencilRunAnswer run = simulate(measured);
  if (!run.run.result.cycles) {
    reject("--app stencil: the simulation ended in a fault; 'muster simulate' shows it");
  }
  StencilExplainAnswer answer{.question = question_of(fixed), .facts = run.facts};
  answer.facts.grid = {fixed.description.columns, fixed.description.rows, fixed.description.cells};
  answer.facts.steps = fixed.description.steps;
  answer.measured_on = grid_text(measured.description);
  answer.cycles = *run.run.result.cycles;
  answer.rate = run.rate;
  answer.busy = run.busy;
  answer.resources = run.run.result.resources;
  answer.work = work_of(fixed.description, run.rate.cycles_per_step / static_cast<double>(fixed.description.cells));
  if (!fixed.description.is_flat()) answer.counts = counts_of(fixed.description, *fixed.description.block);
  answer.bounds = bounds_of(fixed.description, fixed.machine);
  const double idle = answer.work.back().share * run.rate.cycles_per_step;
  answer.waits = fmt::format("the PE in the middle waits {:.0f} of {:.0f} cycles of a step, {:.0f} in each of {}", idle,
                             run.rate.cycles_per_step, idle / static_cast<double>(run.facts.blocks),
                             counted(run.facts.blocks, "block"));
  return answer;
}

}  // namespace muster::stencil
