// Schedulers: in which order each chunk of a collective visits the dimensions of a cluster, and which chunk a dimension sends
// first.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collective/dimensions/chunk.h"
#include "collective/dimensions/pre_simulation.h"
#include "machine/cluster.h"

namespace muster {

/// A collective on a cluster, cut into chunks.
struct ChunkedCollective {
  OperationTimes& times;
  Collective collective = Collective::allreduce;
  std::vector<std::int64_t> chunks;  ///< words of each
  [[nodiscard]] const Cluster& cluster() const { return times.cluster(); }
};

/// The orders of all chunks, and when each operation begins.
struct ChunkPlan {
  std::vector<ChunkOrder> chunks;
  Timetable table;
};

/// Dimension 0 first, always.
std::vector<DimensionOrder> hierarchical_orders(const ChunkedCollective& collective);
/// Themis, Algorithm 1: the least loaded dimension first, unless all are about equal.
std::vector<DimensionOrder> themis_orders(const ChunkedCollective& collective);
/// A mix of orders that equalises the loads of all dimensions, including what each already has to send.
/// The loads of an all-to-all are the same in every order: each dimension is the first of equally many chunks.
std::vector<DimensionOrder> balanced_orders(const ChunkedCollective& collective, const std::vector<Ticks>& before = {});

/// A plan without a timetable, and its chunks' operations.
ChunkPlan with_orders(const ChunkedCollective& collective, const std::vector<DimensionOrder>& orders);
std::vector<std::vector<ChunkOperation>> operations_of(const ChunkedCollective& collective,
                                                       const std::vector<ChunkOrder>& chunks);

ChunkPlan plan_chunks(const ChunkedCollective& collective, const std::vector<DimensionOrder>& orders, SendFirst first);

/// The baseline and Themis, as the paper has them or, where the cluster's accounting asks for it, as ASTRA-sim does.
ChunkPlan plan_hierarchical(const ChunkedCollective& collective);
ChunkPlan plan_themis(const ChunkedCollective& collective, SendFirst first);

/// The best of several plans, Themis' own and the baseline's among them.
ChunkPlan plan_balanced(const ChunkedCollective& collective);

/// By the name of the algorithm; `first` is used by Themis only.
ChunkPlan plan_by(std::string_view scheduler, const ChunkedCollective& collective, SendFirst first);

}  // namespace muster
