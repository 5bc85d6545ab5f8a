// Long lists of operations, made short: what repeats, with offsets in memory that move evenly, becomes a loop.
#pragma once

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// The same operations in the same order, with loops where that saves slots.
CslOperations with_loops(const CslOperations& plain);

/// The operations that loops stand for, one by one, none of them repeated.
std::vector<CslOperation> without_loops(const CslOperations& operations);

}  // namespace muster::wafer
