// Holdings are kept in one list, sorted by node with a counting sort unless contracts name nodes in that order.
#include "schedule/holdings.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "schedule/rank_by_rank.h"

namespace muster {

namespace {

void check(const Schedule& schedule, std::size_t index) {
  const Contract& contract = schedule.contracts[index];
  for (const NodeId node : contract.ranks) {
    if (node < 0 || node >= schedule.node_count) {
      reject("contract {}: rank {} is not one of the {} nodes", index, node, schedule.node_count);
    }
  }
  if (const auto problem = shape_problem(contract)) reject("contract {} {}", index, *problem);
  for (const Buffer buffer : {contract.from, is_partly_in_place(contract) ? contract.to : contract.from}) {
    if (contract.count >= 1 && contract.count <= schedule.extent_of(buffer)) continue;
    reject("contract {}: holds {} elements in {}, which has {}", index, contract.count, buffer_name(buffer),
           schedule.extent_of(buffer));
  }
}

}  // namespace

Holdings::Holdings(const Schedule& schedule) : first_(static_cast<std::size_t>(schedule.node_count) + 1) {
  std::vector<NodeId> nodes;  // of each of held_
  for (std::size_t c = 0; c < schedule.contracts.size(); ++c) {
    check(schedule, c);
    const Contract& contract = schedule.contracts[c];
    if (c == 0) nodes.reserve(contract.ranks.size()), held_.reserve(contract.ranks.size());
    HeldRankByRank held(contract);
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      for (const Range& range : held.of(static_cast<std::int32_t>(i))) {
        nodes.push_back(contract.ranks[i]);
        held_.push_back({held_in(contract, static_cast<std::int32_t>(i)), range});
        ++first_[static_cast<std::size_t>(contract.ranks[i]) + 1];
      }
    }
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  if (std::is_sorted(nodes.begin(), nodes.end())) return;
  std::vector<Held> sorted(held_.size());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < nodes.size(); ++i) sorted[next[static_cast<std::size_t>(nodes[i])]++] = held_[i];
  held_ = std::move(sorted);
}

std::span<const Holdings::Held> Holdings::of(NodeId node) const {
  const auto n = static_cast<std::size_t>(node);
  return {held_.data() + first_[n], held_.data() + first_[n + 1]};
}

bool Holdings::holds(NodeId node, Buffer buffer, std::int64_t element) const {
  const auto held = of(node);
  return std::any_of(held.begin(), held.end(), [&](const Held& h) {
    return h.buffer == buffer && element >= h.range.first && element < h.range.end();
  });
}

std::vector<bool> nodes_that_owe(const Schedule& schedule) {
  std::vector<bool> owes(static_cast<std::size_t>(schedule.node_count), false);
  for (const Contract& contract : schedule.contracts) {
    const bool root_alone = contract.collective == Collective::reduce || contract.collective == Collective::gather;
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      if (!root_alone || static_cast<std::int32_t>(i) == contract.root)
        owes[static_cast<std::size_t>(contract.ranks[i])] = true;
    }
  }
  return owes;
}

}  // namespace muster
