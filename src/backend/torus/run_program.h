// Runs a program on a simulated chip, flit by flit, with its data.
#pragma once

#include "backend/simulator.h"
#include "backend/torus/chip.h"
#include "backend/torus/program.h"

namespace muster::torus {

/// With flits and data; or with flows, which is approximate, and no data.
Result run_program(const TorusProgram& program, const SimulateOptions& options, Chip::Detail detail);

}  // namespace muster::torus
