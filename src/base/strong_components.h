// Strongly connected components, by Tarjan's algorithm with a stack of its own: graphs here have millions of vertices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/index.h"

namespace muster {

struct StrongComponents {
  /// Vertex → number of its component; an edge never leads to a higher number.
  std::vector<std::int32_t> component;
  /// The vertices in an order in which each comes after all that it has edges to, as far as there is no cycle.
  std::vector<std::int32_t> finished;
  std::int32_t count = 0;
};

/// What `target` returns for an edge that does not count.
inline constexpr std::int32_t kNoTarget = -1;

/// Of the graph in which the edges of vertex v are numbered [first[v], first[v + 1]) and edge e leads to target(e).
template <class First, class Target>
StrongComponents strong_components(const std::vector<First>& first, Target target) {
  struct Frame {
    std::int32_t vertex;
    std::int32_t entered;  ///< when, counted in vertices
    First next_edge;
  };
  const std::size_t vertices = first.empty() ? 0 : first.size() - 1;
  StrongComponents result;
  result.component.assign(vertices, -1);
  result.finished.reserve(vertices);
  std::vector<std::int32_t> low(vertices, -1);  // the earliest open vertex known to be reachable; -1: not entered
  std::vector<std::int32_t> open;               // entered, component not yet known
  std::vector<Frame> path;
  std::int32_t entered = 0;

  const auto enter = [&](std::int32_t v) {
    low[at(v)] = entered;
    open.push_back(v);
    path.push_back({v, entered++, first[at(v)]});
  };
  const auto leave = [&] {
    const Frame frame = path.back();
    path.pop_back();
    result.finished.push_back(frame.vertex);
    if (!path.empty()) low[at(path.back().vertex)] = std::min(low[at(path.back().vertex)], low[at(frame.vertex)]);
    if (low[at(frame.vertex)] != frame.entered) return;
    std::int32_t member = -1;
    do {
      member = open.back();
      open.pop_back();
      result.component[at(member)] = result.count;
    } while (member != frame.vertex);
    ++result.count;
  };

  for (std::size_t root = 0; root < vertices; ++root) {
    if (low[root] >= 0) continue;
    enter(static_cast<std::int32_t>(root));
    while (!path.empty()) {
      Frame& frame = path.back();
      if (frame.next_edge == first[at(frame.vertex) + 1]) {
        leave();
        continue;
      }
      const std::int32_t to = target(frame.next_edge++);
      if (to == kNoTarget) continue;
      if (low[at(to)] < 0) {
        enter(to);
      } else if (result.component[at(to)] < 0) {
        low[at(frame.vertex)] = std::min(low[at(frame.vertex)], low[at(to)]);
      }
    }
  }
  return result;
}

}  // namespace muster
