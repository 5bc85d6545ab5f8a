// The messages of a scan on a HyperX: Sklansky's rounds, along the coordinates of cores.
//
// A rank has digits: the column and the row of its core, its socket, and its node's coordinates, the last dimension foremost.
// Digit by digit, from the lowest, ranks that agree in all higher digits scan together. Those with equal values of the digit
// hold the prefixes of what they have in common; of 2^(j+1) neighbouring values, in round j, the last rank of the lower half
// gives its prefix to all ranks of the upper half. No one gives and takes in one round, nothing is combined but what takers
// hold, and paths stay among the participants (on a machine without failures), as the values of a digit are fully connected.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/hyperx.h"

namespace muster {

struct ScanBlock {
  std::int32_t giver = 0;  ///< an index into the list of cores
  std::int32_t first = 0;  ///< the takers: [first, end) of the list
  std::int32_t end = 0;
  bool operator==(const ScanBlock&) const = default;
};

/// Blocks that run concurrently.
using ScanRound = std::vector<ScanBlock>;

/// For ranks in the order of `cores`, which ascend.
std::vector<ScanRound> scan_rounds(const HyperX& hyperx, std::span<const NodeId> cores);

}  // namespace muster
