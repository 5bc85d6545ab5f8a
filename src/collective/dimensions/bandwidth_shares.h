// How the bandwidth of a cluster may be distributed over its dimensions: which share of all bytes orders of dimensions can give to
// each dimension, and so which shares of the bandwidth can be fully used (docs/cluster.md, "Advice", has the derivation).
// Shares are the same for allreduce, reduce-scatter and allgather. Latency and in-network reduction are not counted.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/cluster.h"
#include "machine/machine.h"

namespace muster {

/// Bit d stands for dimension d.
using DimensionSet = std::uint32_t;

inline DimensionSet all_dimensions(const Cluster& cluster) {
  return (DimensionSet{1} << cluster.dimensions.size()) - 1;
}

/// The sum of the bandwidths per NPU.
BytesPerSecond bandwidth_of(const Cluster& cluster, DimensionSet set);

/// Of all bytes that an NPU sends, those that the baseline (dimension 0 first) sends on each dimension. They add up to 1.
std::vector<double> baseline_shares(const Cluster& cluster);

/// Of all bytes, the least and the most that orders can send on a set of dimensions together: when it comes last, and first.
/// Its bandwidth can be used with all the rest if its share of the bandwidth is between them, for every set.
struct ShareRange {
  double least = 0;
  double most = 1;
};
ShareRange share_range(const Cluster& cluster, DimensionSet set);

/// What part of all bandwidth the best schedule can use, and the set of dimensions whose links limit it (the one with the
/// fewest dimensions; all of them, where 100% is possible). It is what the cut bound proves.
struct Ceiling {
  double utilization = 1;
  DimensionSet limiting = 0;
};
Ceiling utilization_ceiling(const Cluster& cluster);

}  // namespace muster
