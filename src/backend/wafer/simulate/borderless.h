// A program as it runs far from the borders of its grid: exactly what it would do on a grid without any.
//
// Where columns repeat with a period p and rows with q, take the grid without borders that consists of such columns and rows alone. All its
// processors with equal columns modulo p and equal rows modulo q have the same class, hence the same state at the start, and by induction the same
// state in every cycle, since a state follows from a processor's own and those of its four neighbours. So p x q processors whose
// links lead around, from the last column to the first, stand for all of them.
//
// What borders change travels at most one hop per cycle and reaches a processor d columns or rows away from them after d hops: up
// to then, and only up to then, a processor of the real grid does in every cycle what this says. How much later it ends is left to
// measurement: alike.h finds out where borders do not reach at all.
#pragma once

#include "backend/simulator.h"
#include "backend/wafer/program.h"

namespace muster::wafer {

/// Times and loads of p x q processors, without outputs; its note says how many they are. Without an engine, but with a note, if columns
/// or rows do not repeat. A single column or row has no borders beside it, and stands for itself.
Result simulate_borderless(const WaferProgram& program, const SimulateOptions& options);

}  // namespace muster::wafer
