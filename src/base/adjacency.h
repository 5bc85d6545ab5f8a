// Lists of numbers by key in two arrays: the edges of a graph by vertex, the steps that take each stream.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/index.h"

namespace muster {

struct Adjacency {
  std::vector<std::int32_t> first;  ///< vertex v's edges are [first[v], first[v + 1])
  std::vector<std::int32_t> to;
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t v) const {
    return {to.data() + first[at(v)], to.data() + first[at(v) + 1]};
  }
};

/// `each_edge(add)` calls add(from, to) for every edge. It runs twice, to count and to write, and names the same edges in
/// the same order both times; the edges of a vertex keep that order.
template <class EachEdge>
Adjacency make_adjacency(std::size_t vertices, const EachEdge& each_edge) {
  Adjacency graph;
  graph.first.assign(vertices + 2, 0);  // one ahead while the edges are written
  each_edge([&](std::int32_t from, std::int32_t /*to*/) { ++graph.first[at(from) + 2]; });
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  graph.to.resize(at(graph.first.back()));
  each_edge([&](std::int32_t from, std::int32_t to) { graph.to[at(graph.first[at(from) + 1]++)] = to; });
  graph.first.pop_back();
  return graph;
}

}  // namespace muster
