// Holdings are kept in one list, sorted by node with a counting sort.
#include "schedule/holdings.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace muster {

namespace {

void check(const Schedule& schedule, std::size_t index) {
  const Contract& contract = schedule.contracts[index];
  for (const NodeId node : contract.ranks) {
    if (node < 0 || node >= schedule.node_count) {
      reject("contract {}: rank {} is not one of the {} nodes", index, node, schedule.node_count);
    }
  }
  if (contract.count < 1 || contract.count > schedule.extent_of(contract.from)) {
    reject("contract {}: holds {} elements in {}, which has {}", index, contract.count, buffer_name(contract.from),
           schedule.extent_of(contract.from));
  }
}

}  // namespace

Holdings::Holdings(const Schedule& schedule) : first_(static_cast<std::size_t>(schedule.node_count) + 1) {
  struct Entry {
    NodeId node;
    Held held;
  };
  std::vector<Entry> entries;
  for (std::size_t c = 0; c < schedule.contracts.size(); ++c) {
    check(schedule, c);
    const Contract& contract = schedule.contracts[c];
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      for (const Range& range : held_before(contract, static_cast<std::int32_t>(i))) {
        entries.push_back({contract.ranks[i], {contract.from, range}});
        ++first_[static_cast<std::size_t>(contract.ranks[i]) + 1];
      }
    }
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  held_.resize(entries.size());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const Entry& entry : entries) held_[next[static_cast<std::size_t>(entry.node)]++] = entry.held;
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
