// An iteration on a HyperX of reducing switches: gradients combined by cores or in the network, behind the computation or beside
// it.
#pragma once

#include <vector>

#include "app/training/iteration.h"
#include "result/training.h"

namespace muster::training {

/// Rabenseifner's algorithm first, which the cores run themselves, so that nothing overlaps; then what the network does alone,
/// after all gradients are computed and as soon as each is there; last what memory allows. One vector per core.
std::vector<IterationAnswer> iterations_on_switches(const Machine& machine, const Iteration& iteration);

}  // namespace muster::training
