// Runs a program on a simulated chip, flit by flit, with its data.
#pragma once

#include "backend/simulator.h"
#include "backend/torus/program.h"

namespace muster::torus {

/// What a processor's calls took.
struct ProcessorTimes {
  Ticks issuing;    ///< calls of its own
  Ticks combining;  ///< data
  Ticks waiting;    ///< for others
  Ticks finished;
};

Result run_program(const TorusProgram& program, const SimulateOptions& options);

}  // namespace muster::torus
