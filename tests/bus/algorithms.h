// The algorithms of the bus.
#pragma once

#include "collective/algorithm.h"

namespace muster::bus {

/// Ranks send to the root one after another; the root adds.
Algorithm reduce_in_turn();
/// The root sends once, and all listen.
Algorithm broadcast_once();

}  // namespace muster::bus
