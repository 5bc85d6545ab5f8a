// Parts for tests of contracts that name blocks or have their root in place: everything is sent straight to where it is needed.
#pragma once

#include <vector>

#include "schedule/builder.h"

namespace muster::examples {

/// Sends in lanes of their own, so that nobody waits for his own messages.
class DirectPart {
 public:
  DirectPart(NodeId nodes, Contract contract)
      : b_({.nodes = nodes, .count = contract.count, .scratch = contract.count}),
        contract_(std::move(contract)),
        lanes_(static_cast<std::size_t>(nodes), 0) {}

  Schedule build() && {
    const auto ranks = static_cast<std::int32_t>(contract_.ranks.size());
    for (std::int32_t to = 0; to < ranks; ++to) {
      for (const Owed& owed : owed_after(contract_, to)) {
        if (owed.range.count > 0) pay(to, owed);
      }
    }
    b_.contract(contract_);
    return std::move(b_).finish();
  }

 private:
  void pay(std::int32_t to, const Owed& owed) {
    const SpanId span = b_.span(owed.range);
    const Buffer own = held_in(contract_, to);
    const bool has_own = owed.source == kEveryRank || owed.source == to;
    if (owed.source == to && own == contract_.to) return;
    std::vector<StreamId> streams;
    for (std::int32_t from = 0; from < static_cast<std::int32_t>(contract_.ranks.size()); ++from) {
      if (from == to || (owed.source != kEveryRank && owed.source != from)) continue;
      streams.push_back(b_.stream(node(from), node(to), span));
      b_.step(node(from), span, next_lane(from)).own(held_in(contract_, from)).push(streams.back());
    }
    if (streams.empty() && own == contract_.to) return;
    auto step = b_.step(node(to), span, next_lane(to));
    if (has_own) step.own(own);
    for (const StreamId stream : streams) step.take(stream);
    step.store(contract_.to);
  }

  [[nodiscard]] NodeId node(std::int32_t rank) const { return contract_.ranks[static_cast<std::size_t>(rank)]; }
  std::int32_t next_lane(std::int32_t rank) { return lanes_[static_cast<std::size_t>(node(rank))]++; }

  ScheduleBuilder b_;
  Contract contract_;
  std::vector<std::int32_t> lanes_;
};

inline Schedule direct_part(NodeId nodes, Contract contract) { return DirectPart(nodes, std::move(contract)).build(); }

}  // namespace muster::examples
