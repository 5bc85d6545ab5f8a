// Balanced: the best of what its orders, Themis' and the baseline's give under every rule of sending.
#include <algorithm>
#include <initializer_list>
#include <optional>

#include "collective/dimensions/scheduler.h"
#include "machine/cluster.h"
#include "machine/cluster_rounds.h"

namespace muster {
namespace {

/// Keeps the best plan; of equals the first.
class BestPlan {
 public:
  explicit BestPlan(const ChunkedCollective& collective) : collective_(collective) {}

  void try_plan(ChunkPlan plan) {
    if (!best_ || plan.table.end < best_->table.end) best_ = std::move(plan);
  }
  /// Under each rule; the operations are the same.
  void try_orders(const std::vector<DimensionOrder>& orders, std::initializer_list<SendFirst> rules) {
    const ChunkPlan plan = with_orders(collective_, orders);
    const ChunkOperations operations = operations_of(collective_, plan.chunks);
    const auto dimensions = static_cast<std::int32_t>(collective_.cluster().dimensions.size());
    for (const SendFirst first : rules) {
      Timetable table = pre_simulate(operations, dimensions, first);
      table.end += closing_time(collective_.cluster());
      if (!best_ || table.end < best_->table.end) best_ = {.chunks = plan.chunks, .table = std::move(table)};
    }
  }
  ChunkPlan best() && { return std::move(*best_); }

 private:
  const ChunkedCollective& collective_;
  std::optional<ChunkPlan> best_;
};

}  // namespace

ChunkPlan plan_balanced(const ChunkedCollective& collective) {
  BestPlan plans(collective);
  if (collective.cluster().accounting == Cluster::Accounting::astra) {  // otherwise the plans below include them
    plans.try_plan(plan_hierarchical(collective));
    for (const SendFirst first : {SendFirst::smallest, SendFirst::arrived}) {
      plans.try_plan(plan_themis(collective, first));
    }
  }
  plans.try_orders(hierarchical_orders(collective), {SendFirst::arrived, SendFirst::smallest, SendFirst::feeding});
  plans.try_orders(themis_orders(collective), {SendFirst::smallest, SendFirst::arrived, SendFirst::feeding});
  std::vector<DimensionOrder> orders = balanced_orders(collective);
  for (int pass = 0; pass < 2; ++pass) {  // in this order, then reversed
    plans.try_orders(orders, {SendFirst::feeding, SendFirst::smallest, SendFirst::arrived});
    std::reverse(orders.begin(), orders.end());
  }
  return std::move(plans).best();
}

}  // namespace muster
