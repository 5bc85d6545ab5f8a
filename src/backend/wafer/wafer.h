// The stages of the wafer backend: schedule → program (lower), program → result (simulate), program → text (emit_csl).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/emitter.h"
#include "backend/lowering.h"
#include "backend/simulator.h"
#include "backend/wafer/program.h"
#include "machine/mesh.h"

namespace muster::wafer {

Outcome<std::unique_ptr<WaferProgram>> lower(const Schedule& schedule, const Machine& machine,
                                             const LowerOptions& options);

/// The plain cycle-level simulator: every wavelet, every cycle. The reference for all other engines.
Result simulate(const WaferProgram& program, const SimulateOptions& options);

/// The stream engine: the same times, loads and outputs (outputs only of nodes that need a result) without moving
/// wavelets. Cases that it cannot compute exactly are handed to simulate(): Result::engine is "cycle", Result::note says why.
Result simulate_streams(const WaferProgram& program, const SimulateOptions& options);

/// Why the stream engine is not for such a request, whatever the program: "it keeps no ..."; empty if it is.
std::string beyond_streams(const Mesh& mesh, const SimulateOptions& options);

/// Forms of CSL: a whole program, and a module that a user's program imports, with an example.
inline constexpr const char* kProgramForm = "program";
inline constexpr const char* kModuleForm = "module";

/// CSL: layout, processor program, host script and build commands; of the program, or of an example beside the module.
Outcome<std::vector<EmittedFile>> emit_csl(const WaferProgram& program, const EmitOptions& options);

}  // namespace muster::wafer
