// Holdings are kept in one list, sorted by node with a counting sort unless contracts name nodes in that order.
#include "schedule/holdings.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "schedule/arithmetic.h"
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
  if (contract.from == Buffer::model || contract.to == Buffer::model) {
    reject("contract {} has a vector in model, which is for constants", index);
  }
  const bool is_stencil = contract.collective == Collective::stencil;
  const Buffer second = is_partly_in_place(contract) || is_stencil ? contract.to : contract.from;
  for (const Buffer buffer : {contract.from, second}) {
    if (contract.count >= 1 && vector_end(contract) <= schedule.extent_of(buffer)) continue;
    reject("contract {}: holds {} elements in {}, which has {}", index, vector_end(contract), buffer_name(buffer),
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
    if (contract.collective == Collective::stencil) {
      const std::vector<Held> held = held_for_stencil(contract, schedule.extent_of(Buffer::model));
      std::vector<bool> has_series(contract.ranks.size());
      for (const StencilPoints& source : contract.sources) has_series[static_cast<std::size_t>(source.rank)] = true;
      for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
        const NodeId node = contract.ranks[i];
        const std::size_t count = held.size() + (has_series[i] ? 1 : 0);
        nodes.insert(nodes.end(), count, node);
        held_.insert(held_.end(), held.begin(), held.end());
        if (has_series[i])
          held_.push_back(held_series(schedule.extent_of(Buffer::series) * schedule.pages_of(Buffer::series)));
        first_[static_cast<std::size_t>(node) + 1] += count;
      }
      continue;
    }
    HeldRankByRank held(contract);
    for (std::size_t i = 0; i < contract.ranks.size(); ++i) {
      for (const Range& range : held.of(static_cast<std::int32_t>(i))) {
        nodes.push_back(contract.ranks[i]);
        held_.push_back({.buffer = held_in(contract, static_cast<std::int32_t>(i)), .range = range});
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

std::vector<Holdings::Held> held_for_stencil(const Contract& c, std::int64_t model) {
  std::vector<Holdings::Held> held;
  const Range whole{c.margin, c.count};
  const Range margins[] = {{0, c.margin}, {whole.end(), c.margin}};
  std::uint64_t salt = 0;
  for (const Buffer buffer : {newest_before(c), previous_before(c)}) {
    held.push_back({.buffer = buffer, .range = whole, .is_zero = false, .salt = salt++});
    for (const Range& margin : margins) {
      if (c.margin > 0) held.push_back({.buffer = buffer, .range = margin, .is_zero = true});
    }
  }
  if (has_arrays(c)) held.push_back({.buffer = Buffer::model, .range = {0, model}, .is_zero = false, .salt = salt});
  return held;
}

Holdings::Held held_series(std::int64_t elements) {
  constexpr std::uint64_t kSalt = 3;
  return {.buffer = Buffer::series, .range = {0, elements}, .is_zero = false, .salt = kSalt};
}

std::uint64_t Holdings::Held::input_key(NodeId node, std::uint64_t seed) const {
  return Arithmetic::input_key(node, salt == 0 ? seed : random_bits(seed, salt));
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
