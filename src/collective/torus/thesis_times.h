// The times that the thesis on the Wormhole expects of its exchanges (A.3): what is sent at 9 GB/s, or computed at the peak for 8-bit
// numbers if that takes longer, and a few synchronisations. Contention, calls and write barriers are left out.
#pragma once

#include "base/units.h"
#include "collective/algorithm.h"

namespace muster {

/// A.14: every step sends the whole vector.
Ticks thesis_time_of_whole_vectors(const Request& request);
/// A.15: a reduce-scatter and an allgather, each of about one vector.
Ticks thesis_time_of_halved_vectors(const Request& request);

}  // namespace muster
