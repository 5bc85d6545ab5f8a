// What registers are as a schedule, so that the verifier can judge them.
#pragma once

#include <string>

#include "backend/hyperx/program.h"
#include "backend/reader.h"

namespace muster::hyperx {

/// Every row is a step of its switch, every port that it has in common with a neighbour a stream; a rank gives and takes by steps
/// of its own, ids one after another. The row that a loop leads to is part of the step of the row that it comes from; where it
/// combines that with more, the rank forwards it. Throws InputError, which begins with `file`, where check() finds a fault.
LiftedFiles lift_registers(const HyperXProgram& program, const std::string& file);

}  // namespace muster::hyperx
