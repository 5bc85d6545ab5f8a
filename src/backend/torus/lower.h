// Lowering: a flat schedule becomes the calls of every core's processors.
//
// Whatever arrives and is combined lands in memory of its own, and intermediate results stay there, so that nothing is overwritten while
// it is still being sent, and no core has to ask before it sends. What is only stored is written where it belongs. If the memory does
// not hold all that, one vector's worth of memory takes what arrives, and cores grant each other the right to send.
#pragma once

#include <memory>

#include "backend/lowering.h"
#include "backend/torus/program.h"

namespace muster::torus {

/// A program; or which limit it exceeds.
Outcome<std::unique_ptr<TorusProgram>> lower(const Schedule& flat, const Machine& machine, const LowerOptions& options);

}  // namespace muster::torus
