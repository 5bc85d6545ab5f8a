// How busy the links of a chip were.
#pragma once

#include "backend/torus/chip.h"
#include "result/result.h"

namespace muster::torus {

/// The load of a NoC's links until `end`.
Resource link_load(const Chip& chip, int noc, Cycle end);

}  // namespace muster::torus
