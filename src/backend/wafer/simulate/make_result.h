// The end of a simulation: result or fault.
#pragma once

#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/repetition.h"
#include "backend/wafer/simulate/strip.h"
#include "result/result.h"

namespace muster::wafer {

/// The fault that the strips would have met first, one after another; they all stopped after the same cycle.
std::optional<Fault> first_fault(const Strips& strips, Arbitration arbitration);

/// Nothing has moved since `cycle`: a deadlock, or, if all processors have finished, data left over.
Fault standstill(const Fabric& fabric, const Strips& strips, std::int64_t cycle);

/// A switch that is not back in position 0 at the end, if there is one: the next call would start wrong.
std::optional<Fault> switch_left_over(const Fabric& fabric, std::int64_t cycle);

Fault gave_up(std::int64_t in_flight, std::int64_t cycle);

/// What an engine counted.
struct Measured {
  const WaferProgram& program;
  std::span<const Traffic> traffic;  ///< of each router
  std::int64_t hops = 0;             ///< data wavelets over links
  std::vector<Cycles> call_ends;
};

/// Times and loads of a run without a fault.
Result make_result(const Measured& measured);

/// What is left at the end of a simulation.
struct Simulated {
  const Fabric& fabric;
  const Strips& strips;
  std::span<const Traffic> traffic;  ///< of each router, with what was skipped
  const Skipped& skipped;
};

/// Times, loads and outputs. Takes the outputs out of the strips.
Result make_result(const Simulated& simulated, std::optional<Fault> fault);

/// Data wavelets over links.
std::int64_t data_hops(std::span<const Traffic> traffic);

}  // namespace muster::wafer
