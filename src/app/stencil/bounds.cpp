#include "app/stencil/bounds.h"

#include <algorithm>

#include "app/stencil/slots.h"
#include "base/counted.h"
#include "base/error.h"
#include "plan/job.h"

namespace muster::stencil {
namespace {

// "Massively scalable stencil algorithm" (2022), section VI: words per cycle between a PE and its memory.
constexpr std::int64_t kReadsPerCycle = 4;
constexpr std::int64_t kWritesPerCycle = 2;

/// Terms along z of all cells of a column, without those beyond its ends.
std::int64_t terms_along_z(const Description& description) {
  if (description.is_flat()) return 0;
  std::int64_t terms = 0;
  for (std::int64_t m = 1; m <= description.radius(); ++m)
    terms += 2 * std::max<std::int64_t>(0, description.cells - m);
  return terms;
}

/// Of a column in a time step.
struct Needs {
  std::int64_t taken = 0;         ///< words from the fabric
  std::int64_t sent = 0;          ///< words that have to go out
  std::int64_t instructions = 0;  ///< that combine two terms
};

Needs needs_of(const Description& description) {
  const Neighbours neighbours = neighbours_in_the_middle(description);
  const std::int64_t cells = description.cells;
  Needs needs{.taken = neighbours.all() * cells, .sent = neighbours.all() > 0 ? cells : 0};
  needs.instructions = needs.taken + terms_along_z(description) + cells;  // the cell itself, and a step ago, less one
  return needs;
}

BoundAnswer bound(const Description& description, const Machine& machine, std::string name, std::string proves,
                  std::int64_t cycles_of_step, bool for_pipeline) {
  const Cycles cycles(cycles_of_step * description.steps);
  return {.name = std::move(name),
          .proves = std::move(proves),
          .cycles = cycles,
          .seconds = seconds_of(machine, cycles),
          .for_pipeline = for_pipeline};
}

}  // namespace

std::vector<BoundAnswer> bounds_of(const Description& description, const Machine& machine) {
  const Needs needs = needs_of(description);
  const auto neighbours = static_cast<std::int64_t>(neighbours_in_the_middle(description).all());
  const std::int64_t fused = needs.instructions + needs.sent;
  const std::int64_t written = (needs.instructions + kWritesPerCycle - 1) / kWritesPerCycle;
  const std::int64_t read = 2 * needs.instructions - needs.taken + needs.sent;
  std::vector<BoundAnswer> bounds;
  bounds.push_back(bound(description, machine, "datapath",
                         fmt::format("any schedule that sends cells as they are: {} of two inputs per step combine "
                                     "the terms of a column, and {} send it",
                                     counted(needs.instructions, "instruction"), grouped(needs.sent)),
                         fused, true));
  if (neighbours > 0) {
    bounds.push_back(bound(description, machine, "ramp",
                           fmt::format("any schedule that sends cells as they are: {} per cell come down a PE's ramp, "
                                       "one per cycle",
                                       counted(neighbours, "word")),
                           needs.taken, true));
    bounds.push_back(bound(description, machine, "datapath without fused products from the fabric",
                           fmt::format("the same where an instruction that takes a word from the fabric cannot add "
                                       "its product to a sum, as published for the WSE-2: {} more per step",
                                       grouped(needs.taken)),
                           fused + needs.taken, false));
  }
  bounds.push_back(bound(description, machine, "memory",
                         "every result is written to memory, 64 bits per cycle, and read from it, 128 bits per cycle",
                         std::max(written, (read + kReadsPerCycle - 1) / kReadsPerCycle), false));
  std::ranges::stable_sort(bounds, [](const BoundAnswer& a, const BoundAnswer& b) {
    return a.for_pipeline != b.for_pipeline ? a.for_pipeline : a.seconds > b.seconds;
  });
  return bounds;
}

}  // namespace muster::stencil
