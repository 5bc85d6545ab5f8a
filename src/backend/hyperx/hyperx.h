// The stages of the backend of reducing switches.
#pragma once

#include "backend/hyperx/program.h"
#include "backend/simulator.h"

namespace muster::hyperx {

/// Runs registers from their values and data alone; timing.h says what takes how long. Engine::cycle moves packets; the
/// others compute times as lines, with the same result. Registers that cannot run have a fault. Calls follow each other: each begins
/// when all switches have finished the previous one, and takes as long as that.
Result simulate(const HyperXProgram& program, const SimulateOptions& options);

}  // namespace muster::hyperx
