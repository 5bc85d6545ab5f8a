// The stages of the wafer backend: schedule → program (lower), program → result (simulate), program → text (emit_csl).
#pragma once

#include <memory>
#include <vector>

#include "backend/emitter.h"
#include "backend/lowering.h"
#include "backend/simulator.h"
#include "backend/wafer/program.h"

namespace muster::wafer {

Outcome<std::unique_ptr<WaferProgram>> lower(const Schedule& schedule, const Machine& machine,
                                             const LowerOptions& options);

/// The plain cycle-level simulator: every wavelet, every cycle. The reference for all other engines.
Result simulate(const WaferProgram& program, const SimulateOptions& options);

/// The stream engine: the same times, loads and outputs (outputs only of nodes that need a result) without moving
/// wavelets. Cases that it cannot compute exactly are handed to simulate(): Result::engine is "cycle", Result::note says why.
Result simulate_streams(const WaferProgram& program, const SimulateOptions& options);

/// CSL: layout, processor program, host script and build commands.
Outcome<std::vector<EmittedFile>> emit_csl(const WaferProgram& program, const EmitOptions& options);

}  // namespace muster::wafer
