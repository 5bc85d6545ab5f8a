// Rounds of rings: every rank sends to the next one.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/torus/exchanges.h"

namespace muster {

/// Ranks in the order in which messages visit them, the last before the first, and the blocks of the vector, as many.
struct Ring {
  std::vector<NodeId> ranks;
  std::vector<SpanId> blocks;
  int noc = 0;  ///< that all messages use
};

/// Rank ranks[i] ends up with blocks[i] of the combination in `output`, after ranks.size() - 1 rounds. `from`: where the vectors are.
TileRounds ring_reduce_scatter(const Ring& ring, Buffer from);
/// From there, every rank gets all blocks, in as many rounds.
TileRounds ring_allgather(const Ring& ring);

/// Rounds of others that happen at the same time.
void join(TileRounds& rounds, const TileRounds& others);

/// A Hamiltonian cycle that suits NoC 0 (or NoC 1): all ranks row by row (backwards). In its row, a message goes one tile to the east; from a
/// row's end, around the torus to the next row's begin. So every link carries one message.
std::vector<NodeId> ring_of_all(NodeId ranks, int noc);

}  // namespace muster
