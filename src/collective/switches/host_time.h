// The time of host-based algorithms: one round after another.
//
// A round takes a software overhead, some network traversals between the two cores that are farthest apart, and memory time: messages are read and written, combining reads two vectors and writes one ([host] of a machine file).
// Congestion is left out, as in "Accelerating Allreduce with in-network reduction on Intel PIUMA", "Setup".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "machine/hyperx.h"

namespace muster {

struct HostRound {
  /// The indices, in a list of cores, of the two cores of pair i.
  std::function<std::pair<std::int64_t, std::int64_t>(std::int64_t)> pair;
  std::int64_t pairs = 0;
  std::int64_t sent = 0;      ///< most words that a core sends, or gets, whichever is more
  std::int64_t combined = 0;  ///< most words that a core combines
};

/// The rounds one after another, in picoseconds. The farthest pair is searched among all pairs, or among several thousand random
/// ones (the same every time) if there are more.
Ticks host_time(const HyperX& hyperx, std::span<const NodeId> cores, std::span<const HostRound> rounds);

}  // namespace muster
