// Orders, and the timetable that follows from them.
#include "collective/dimensions/scheduler.h"

#include "base/index.h"

namespace muster {

std::vector<DimensionOrder> hierarchical_orders(const ChunkedCollective& collective) {
  return {collective.chunks.size(), baseline_order(collective.cluster())};
}

ChunkPlan plan_chunks(const ChunkedCollective& collective, const std::vector<DimensionOrder>& orders, SendFirst first) {
  ChunkPlan plan;
  std::vector<std::vector<ChunkOperation>> operations;
  for (std::size_t c = 0; c < collective.chunks.size(); ++c) {
    plan.chunks.push_back({.count = collective.chunks[c], .order = orders[c]});
    operations.push_back(collective.times.operations(plan.chunks.back(), collective.collective));
  }
  plan.table = pre_simulate(operations, static_cast<std::int32_t>(collective.cluster().dimensions.size()), first);
  return plan;
}

}  // namespace muster
