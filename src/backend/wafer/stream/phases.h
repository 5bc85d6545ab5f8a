// Phases, one after another, from the times of their parts.
//
// A part is timed alone, once for all groups whose processors come to it alike. That is exact if no phase meets another: the first word of a phase
// is sent to a link after the last word of all phases before it has left that link. Where phases share a color, its queues are empty by then, and
// its switches have moved on with those last words. A processor begins a phase as its lane, datapath and ramp are after the phases before it.
// Phases that meet are timed together (joined_phases.h).
#pragma once

#include <optional>

#include "backend/simulator.h"
#include "backend/wafer/program.h"
#include "backend/wafer/stream/progress.h"

namespace muster::wafer {

/// Times and loads of one call of a program of phases, without data: phase by phase, or of all at once without relays (relays.h). Nothing
/// if phases meet and cannot be joined, if a part cannot be timed, or if ranks owe only some of the elements that a part stores.
std::optional<Result> simulate_phases(const WaferProgram& program, const SimulateOptions& options, Effort& effort);

}  // namespace muster::wafer
