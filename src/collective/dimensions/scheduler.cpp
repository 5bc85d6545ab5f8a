// Orders, and the timetable that follows from them.
#include "collective/dimensions/scheduler.h"

#include "base/error.h"
#include "collective/dimensions/astra_plan.h"
#include "machine/cluster.h"
#include "machine/cluster_rounds.h"

namespace muster {
namespace {

bool is_astra(const ChunkedCollective& collective) {
  return collective.cluster().accounting == Cluster::Accounting::astra;
}

}  // namespace

std::vector<DimensionOrder> hierarchical_orders(const ChunkedCollective& collective) {
  return {collective.chunks.size(), baseline_order(collective.cluster())};
}

ChunkPlan with_orders(const ChunkedCollective& collective, const std::vector<DimensionOrder>& orders) {
  ChunkPlan plan;
  for (std::size_t c = 0; c < collective.chunks.size(); ++c) {
    plan.chunks.push_back({.count = collective.chunks[c], .order = orders[c]});
  }
  return plan;
}

std::vector<std::vector<ChunkOperation>> operations_of(const ChunkedCollective& collective,
                                                       const std::vector<ChunkOrder>& chunks) {
  std::vector<std::vector<ChunkOperation>> operations;
  for (const ChunkOrder& chunk : chunks) {
    operations.push_back(collective.times.operations(chunk, collective.collective));
  }
  return operations;
}

ChunkPlan plan_chunks(const ChunkedCollective& collective, const std::vector<DimensionOrder>& orders, SendFirst first) {
  ChunkPlan plan = with_orders(collective, orders);
  plan.table = pre_simulate(operations_of(collective, plan.chunks),
                            static_cast<std::int32_t>(collective.cluster().dimensions.size()), first);
  plan.table.end += closing_time(collective.cluster());
  return plan;
}

ChunkPlan plan_hierarchical(const ChunkedCollective& collective) {
  const std::vector<DimensionOrder> orders = hierarchical_orders(collective);
  return is_astra(collective) ? astra_plan(collective, orders, SendFirst::arrived, true)
                              : plan_chunks(collective, orders, SendFirst::arrived);
}

ChunkPlan plan_themis(const ChunkedCollective& collective, SendFirst first) {
  return is_astra(collective) ? astra_plan(collective, astra_themis_orders(collective), first, false)
                              : plan_chunks(collective, themis_orders(collective), first);
}

ChunkPlan plan_by(std::string_view scheduler, const ChunkedCollective& collective, SendFirst first) {
  if (scheduler == "hierarchical") return plan_hierarchical(collective);
  if (scheduler == "themis") return plan_themis(collective, first);
  MUSTER_ASSERT(scheduler == "balanced", "there is no scheduler '{}'", scheduler);
  return plan_balanced(collective);
}

}  // namespace muster
