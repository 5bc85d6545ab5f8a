// Phases that meet others, joined to a program of their own, so that they are simulated together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/wafer/program.h"

namespace muster::wafer {

/// What the phases from `first` up to `end` do, in their order at every processor, without what comes before and after; `contracts` are its own. A
/// switch that an earlier phase has moved on is in position 0 here: words that need another position wait forever, which a trace finds.
WaferProgram joined_phases(const WaferProgram& program, std::size_t first, std::size_t end,
                           std::vector<Contract> contracts);

/// Of all processors.
std::int64_t operation_runs(const WaferProgram& program);

}  // namespace muster::wafer
