#include "app/stencil/cost.h"

#include "base/error.h"

namespace muster::stencil {
namespace {

std::int64_t blocks_of(const PublishedRun& run) { return (run.cells + run.block - 1) / run.block; }

double overheads(Overhead overhead, std::int64_t blocks) {
  return overhead == Overhead::of_a_block ? static_cast<double>(blocks) : 1;
}

}  // namespace

double cycles_per_step(const CostModel& model, std::int64_t cells, std::int64_t blocks) {
  return model.cycles_per_cell * static_cast<double>(cells) + model.cycles * overheads(model.overhead, blocks);
}

CostModel fitted(Overhead overhead, const PublishedRun& first, const PublishedRun& second, double clock_hz) {
  const auto cells_1 = static_cast<double>(first.cells);
  const auto cells_2 = static_cast<double>(second.cells);
  const double overheads_1 = overheads(overhead, blocks_of(first));
  const double overheads_2 = overheads(overhead, blocks_of(second));
  const double determinant = cells_1 * overheads_2 - cells_2 * overheads_1;
  MUSTER_ASSERT(determinant != 0, "runs of {} and {} cells do not tell the two parameters apart", first.cells,
                second.cells);
  const double cycles_1 = measured_cycles(first, clock_hz);
  const double cycles_2 = measured_cycles(second, clock_hz);
  return {.overhead = overhead,
          .cycles_per_cell = (cycles_1 * overheads_2 - cycles_2 * overheads_1) / determinant,
          .cycles = (cells_1 * cycles_2 - cells_2 * cycles_1) / determinant};
}

double measured_cycles(const PublishedRun& run, double clock_hz) {
  return run.seconds / static_cast<double>(run.steps) * clock_hz;
}

double error_of(const CostModel& model, const PublishedRun& run, double clock_hz) {
  return cycles_per_step(model, run.cells, blocks_of(run)) / measured_cycles(run, clock_hz) - 1;
}

}  // namespace muster::stencil
