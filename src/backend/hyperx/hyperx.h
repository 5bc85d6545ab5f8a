// The stages of the backend of reducing switches.
#pragma once

#include "backend/hyperx/program.h"
#include "backend/simulator.h"

namespace muster::hyperx {

/// Runs registers from their values and data alone; timing.h says what takes how long. Engine::cycle moves packets, the other
/// ones follow times as lines, to the same end. Registers that cannot run have a fault. Calls follow each other: each begins
/// when all switches are through with the one before, and takes as long as that.
Result simulate(const HyperXProgram& program, const SimulateOptions& options);

}  // namespace muster::hyperx
