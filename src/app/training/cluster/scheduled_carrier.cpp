// Transfers cut into chunks, and sent through one network.
#include "app/training/cluster/scheduled_carrier.h"

#include <algorithm>
#include <deque>
#include <functional>

#include "app/training/cluster/groups.h"
#include "base/index.h"
#include "schedule/span.h"

namespace muster::training {
namespace {

std::vector<DimensionOrder> orders_of(const ChunkedCollective& collective, Orders orders,
                                      const std::vector<Ticks>& before) {
  if (orders == Orders::hierarchical) return hierarchical_orders(collective);
  if (orders == Orders::themis) return themis_orders(collective);
  std::vector<DimensionOrder> all = balanced_orders(collective, before);
  if (orders == Orders::balanced_backwards) std::reverse(all.begin(), all.end());
  return all;
}

class Scheduled : public Carrier {
 public:
  Scheduled(Planner& planner, const Policy& policy, std::int32_t dimensions)
      : planner_(planner), orders_(policy.orders), dimensions_(dimensions), network_(dimensions, policy.first) {}

  std::int32_t begin(const Transfer& transfer) override {
    if (orders_ != Orders::beside) return network_.begin(planner_.operations(transfer, orders_));
    std::vector<Ticks> before;
    for (std::int32_t d = 0; d < dimensions_; ++d) before.push_back(network_.left(d));
    return network_.begin(own_.emplace_back(planner_.operations_beside(transfer, before)));
  }
  std::optional<std::int32_t> next_end(Ticks limit) override { return network_.next_end(limit); }
  [[nodiscard]] Ticks now() const override { return network_.now(); }

 private:
  Planner& planner_;
  Orders orders_;
  std::int32_t dimensions_;
  std::deque<ChunkOperations> own_;  ///< of transfers that were planned beside others
  DimensionNetwork network_;
};

}  // namespace

Planner::Planner(const Iteration& iteration, std::int64_t chunks) : iteration_(iteration), chunks_(chunks) {
  for (const Group& group : iteration.groups) times_.emplace_back(opened(group).cluster);
}

const ChunkOperations& Planner::operations(const Transfer& transfer, Orders orders) {
  const auto [found, is_new] =
      known_.try_emplace({transfer.group, transfer.collective, transfer.words, orders}, ChunkOperations());
  if (is_new) found->second = make(transfer, orders, {});
  return found->second;
}

ChunkOperations Planner::operations_beside(const Transfer& transfer, const std::vector<Ticks>& before) {
  std::vector<Ticks> along;
  for (const std::int32_t d : opened(iteration_.groups[at(transfer.group)]).dimensions) along.push_back(before[at(d)]);
  const bool alike = std::adjacent_find(along.begin(), along.end(), std::not_equal_to<>()) == along.end();
  return alike ? operations(transfer, Orders::balanced) : make(transfer, Orders::beside, along);
}

ChunkOperations Planner::make(const Transfer& transfer, Orders orders, const std::vector<Ticks>& before) {
  const ClusterGroup& group = opened(iteration_.groups[at(transfer.group)]);
  if (group.dimensions.empty()) return {};
  ChunkedCollective collective{.times = times_[at(transfer.group)], .collective = transfer.collective, .chunks = {}};
  const std::int64_t chunks = std::min(chunks_, transfer.words);
  for (std::int64_t i = 0; i < chunks; ++i) collective.chunks.push_back(block(transfer.words, chunks, i).count);
  ChunkOperations all =
      operations_of(collective, with_orders(collective, orders_of(collective, orders, before)).chunks);
  for (std::vector<ChunkOperation>& operations : all) {
    for (ChunkOperation& o : operations) o.dimension = group.dimensions[at(o.dimension)];
  }
  return all;
}

std::unique_ptr<Carrier> scheduled_carrier(Planner& planner, const Policy& policy, std::int32_t dimensions) {
  return std::make_unique<Scheduled>(planner, policy, dimensions);
}

}  // namespace muster::training
