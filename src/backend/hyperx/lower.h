// A schedule whose inner nodes are switches, as the values of their registers.
#pragma once

#include <memory>

#include "backend/hyperx/program.h"
#include "backend/lowering.h"

namespace muster::hyperx {

/// Every step of a switch becomes a row. A step that sends something back to where it takes something from becomes two, one on
/// each channel, joined by the loop. Steps that exchange streams belong to one collective; collectives have the same id where
/// they work on the same elements and share no switch. A refusal says what registers cannot express.
Outcome<std::unique_ptr<HyperXProgram>> lower(const Schedule& schedule, const Machine& machine,
                                              const LowerOptions& options);

}  // namespace muster::hyperx
