// How many cycles a step takes: a time per cell of a column, and one per block or per step.
#pragma once

#include <cstdint>

#include "app/stencil/published.h"

namespace muster::stencil {

/// Cycles that a step has beyond those per cell.
enum class Overhead : unsigned char { of_a_step, of_a_block };

struct CostModel {
  Overhead overhead = Overhead::of_a_step;
  double cycles_per_cell = 0;
  double cycles = 0;  ///< per step or per block
};

double cycles_per_step(const CostModel& model, std::int64_t cells, std::int64_t blocks);

/// The model that two runs fit exactly; they must differ in their cells, or in their cells per block.
CostModel fitted(Overhead overhead, const PublishedRun& first, const PublishedRun& second, double clock_hz);

/// A run's cycles per step, and the relative error of a model.
double measured_cycles(const PublishedRun& run, double clock_hz);
double error_of(const CostModel& model, const PublishedRun& run, double clock_hz);

}  // namespace muster::stencil
