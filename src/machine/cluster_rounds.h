// How long the rounds of a part take along a dimension of a cluster.
#pragma once

#include "machine/cluster.h"
#include "machine/message_rounds.h"

namespace muster {

/// In picoseconds (machine.h).
struct RoundTimes {
  Ticks sending;  ///< while nothing else can be sent along the dimension
  Ticks delay;    ///< from then until all has arrived
};

/// With the paper's accounting, rounds follow each other without a gap and their latencies are added at the end. With ASTRA-sim's, the
/// dimension is busy through all of them, in whole nanoseconds, and with what it adds for reductions. The latency is that from
/// rank to rank, through a switch or not. `reduces`: receivers combine what arrives.
RoundTimes round_times(const Cluster& cluster, std::int32_t dimension, const Rounds& rounds, bool reduces);

/// The time of a collective in addition to its operations.
Ticks closing_time(const Cluster& cluster);

}  // namespace muster
