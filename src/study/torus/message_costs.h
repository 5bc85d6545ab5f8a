// What messages cost on a torus, for the sentence about the winner.
#pragma once

#include "machine/machine.h"
#include "result/time_base.h"

namespace muster {

/// A short message to a tile nearby, and what its processors do before they send the next one.
Ticks depth_of_torus(const Machine& machine);

/// Words that a tile receives in a cycle, through both NoCs.
double port_rate_of_torus(const Machine& machine);

}  // namespace muster
