// Collectives along one dimension of a cluster, as ordinary schedules: ring, direct and halving-doubling, and exchanges for
// all-to-all. All of them work in place in `input`; a reduce-scatter leaves block i at member i, an allgather begins there.
#pragma once

#include <cstdint>

#include "machine/cluster.h"
#include "schedule/schedule.h"

namespace muster {

/// Around a ring, in one direction or in both.
enum class RingWays : std::uint8_t { one, both };
/// Member i sends to i + 1, P - 1 times; in both directions, halves of blocks to i + 1 and i - 1, if every block has two words.
Schedule ring_part(Collective collective, std::int32_t size, std::int64_t count, RingWays ways);
/// Every member sends to every other one at once.
Schedule direct_part(Collective collective, std::int32_t size, std::int64_t count);
/// Pairs exchange halves, then quarters, ... (an allgather the other way round). Where P is not a power of two, each member
/// beyond the largest power of two sends its vector to a partner first, and receives its result last.
Schedule halving_part(Collective collective, std::int32_t size, std::int64_t count);

/// All-to-all: along a ring, through the members in between; or directly. `count` is a multiple of `size`.
Schedule ring_exchange_part(std::int32_t size, std::int64_t count, RingWays ways);
Schedule direct_exchange_part(std::int32_t size, std::int64_t count);

/// Through a switch that reduces, which is the part's last node. Also a whole allreduce, which takes half of what a reduce-scatter
/// and an allgather do: everything goes up once and comes down once.
Schedule reducing_part(Collective collective, std::int32_t size, std::int64_t count);

/// The algorithm for the dimension: ring on a ring, direct if fully connected, halving-doubling through a switch, where an
/// all-to-all is direct, too, or, if it reduces, by the switch itself. `collective`: reduce-scatter, allgather or all-to-all, and
/// through a switch that reduces allreduce. size >= 2, count >= 1.
Schedule dimension_part(const Cluster::Dimension& dimension, Collective collective, std::int64_t count);

}  // namespace muster
