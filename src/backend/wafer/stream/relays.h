// A grid whose rows begin with long chains, simulated without most of the processors in them.
//
// Behind the edge of a grid, a processor of a chain does nothing but add its own vector to what its neighbour sends and pass the sum on, message after
// message. Columns of such *relays* alternate between two kinds. The processor at the edge sends its vectors without a gap
// from cycle 0 on, and the i-th relay passes them on i relay times later, a constant. So the narrow grid leaves out an even
// number of relays next to each edge, and the processor at the edge begins later by their time. What it sends then enters the rest of the grid as in the
// whole one.
//
// Where nothing holds up the processor at the edge of the narrow grid, nothing holds up the relays that were left out either: all of their times
// are known. Where something does, words wait in the relays that were left out as they do in the memory of the one at the edge, and
// move on at full rate as soon as there is space: what enters the rest of the grid is the same, but when the relays that were left out
// are done is not known.
#pragma once

#include <optional>

#include "backend/simulator.h"
#include "backend/wafer/program.h"
#include "backend/wafer/stream/progress.h"

namespace muster::wafer {

/// One call of a program, without data. Nothing if it has no relays to leave out, or if it cannot be timed. If the times of some relays are
/// not known: nothing if `all_times` are asked for; otherwise their ends are not earlier than the true ones, and they have no times.
std::optional<Progress> simulate_without_relays(const WaferProgram& program, Effort& effort, bool all_times);

}  // namespace muster::wafer
