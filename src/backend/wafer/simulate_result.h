// The end of a simulation, good or bad.
#pragma once

#include "backend/wafer/fabric.h"
#include "backend/wafer/processor.h"
#include "result/result.h"

namespace muster::wafer {

/// Nothing has moved since `cycle`: a deadlock, or, if all processors have finished, data left over.
Fault standstill(const Fabric& fabric, const Processors& processors, std::int64_t cycle);

Fault gave_up(const Fabric& fabric, std::int64_t cycle);

/// Times, loads and outputs. Takes the outputs out of the processors.
Result make_result(Fabric& fabric, Processors& processors);

}  // namespace muster::wafer
