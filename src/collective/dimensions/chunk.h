// What a scheduler of a cluster decides: the vector is cut into chunks, and every chunk visits the dimensions in an order of
// its own, to be reduced and scattered, and in the reverse order to be gathered.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/units.h"
#include "collective/algorithm.h"
#include "machine/cluster.h"
#include "schedule/rounds.h"
#include "schedule/span.h"

namespace muster {

/// Indices of a cluster's dimensions, each once.
using DimensionOrder = std::vector<std::int32_t>;

struct ChunkOrder {
  std::int64_t count = 0;  ///< words
  DimensionOrder order;    ///< of its reduce-scatters
};

/// A chunk along one dimension: it is sent, word by word, and has arrived everywhere `delay` after its last word left.
struct ChunkOperation {
  std::int32_t dimension = 0;
  Collective collective = Collective::reduce_scatter;
  std::int64_t count = 0;  ///< words of the (largest) vector that a group shares
  Ticks sending;
  Ticks delay;
};

/// Times of operations on a cluster. A cluster has no clock; its cycles are picoseconds (machine.h). Every operation is evaluated
/// once.
class OperationTimes {
 public:
  explicit OperationTimes(const Cluster& cluster) : cluster_(cluster) {}

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  ChunkOperation operation(std::int32_t dimension, Collective collective, std::int64_t count);
  /// The operations of a chunk, one after another. After a reduce-scatter along P members, a P-th is left, rounded up or down: an
  /// operation takes as long as its slowest group, which need not be the one with the largest vector. An all-to-all exchanges the whole chunk along every dimension.
  std::vector<ChunkOperation> operations(const ChunkOrder& chunk, Collective collective);

 private:
  /// Of vectors that groups share: all numbers of words from least to most.
  struct Counts {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  ChunkOperation longest(std::int32_t dimension, Collective collective, Counts counts);

  const Cluster& cluster_;
  std::map<std::tuple<std::int32_t, Collective, std::int64_t>, ChunkOperation> known_;
};

/// Whether the reduce-scatter and the allgather of a chunk's last dimension are one allreduce: the switch does both at once.
bool fuses_last(const Cluster& cluster, Collective collective, const DimensionOrder& order);

/// 0, 1, 2, ...
DimensionOrder baseline_order(const Cluster& cluster);

/// What the collective asks of the dimensions. An allreduce is a reduce-scatter and an allgather, an all-to-all neither.
bool scatters(Collective collective);
bool gathers(Collective collective);
/// The load that dimensions are compared by: one pass of the collective, since both passes load them alike; both if a reducing
/// switch fuses the two passes into one operation.
struct Compared {
  Collective collective = Collective::reduce_scatter;
  int passes = 1;  ///< that it holds
};
Compared compared_by(const Cluster& cluster, Collective collective);
/// Of a whole collective: 2 if it scatters and gathers.
int passes_of(Collective collective);
/// Whether a chunk is a piece of every rank's block, and not a piece of the vector: reduce-scatter, allgather,
/// all-to-all.
bool is_sliced(Collective collective);
/// The maximum number of chunks on a cluster: their phases are as many as verify() supports.
std::int64_t most_chunks(const Cluster& cluster);
/// The words of each of this many chunks of a vector, as even as possible; for slices, the same for every rank.
std::vector<std::int64_t> chunk_words(const Cluster& cluster, Collective collective, std::int64_t words,
                                      std::int64_t chunks);

}  // namespace muster
