// Edge by edge, by exchanges. An edge that closes a cycle in every forest may still fit if an edge of such a cycle
// can move to another forest: we look for the shortest chain of such moves. If there is none, the edges that were looked at are
// as many as the forests can have among their vertices, and no later move will change that, so the edge is left out for good.
// (That is the augmenting path of matroid union; Nash-Williams' theorem says when it ends with spanning trees.)
#include "collective/switches/tree_packing.h"

#include <algorithm>
#include <optional>

#include "base/index.h"

namespace muster {
namespace {

constexpr std::int32_t kNone = -1;

class Packing {
 public:
  Packing(std::int32_t vertices, std::span<const GraphEdge> edges, std::int32_t count)
      : edges_(edges),
        forests_(count),
        forest_of_(edges.size(), kNone),
        at_vertex_(at(count), std::vector<std::vector<std::int32_t>>(at(vertices))) {}

  void insert(std::int32_t edge) {
    moved_by_.assign(edges_.size(), kNone);
    std::vector<std::int32_t> queue{edge};
    std::vector<bool> seen(edges_.size());
    seen[at(edge)] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::int32_t forest = 0; forest < forests_; ++forest) {
        if (forest_of_[at(queue[i])] == forest) continue;
        const std::optional<std::vector<std::int32_t>> cycle = path(forest, edges_[at(queue[i])]);
        if (!cycle) return move_chain(queue[i], forest);
        for (const std::int32_t other : *cycle) {
          if (seen[at(other)]) continue;
          seen[at(other)] = true;
          moved_by_[at(other)] = queue[i];
          queue.push_back(other);
        }
      }
    }
  }

  [[nodiscard]] std::vector<std::vector<std::int32_t>> forests() const {
    std::vector<std::vector<std::int32_t>> all(at(forests_));
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (forest_of_[e] != kNone) all[at(forest_of_[e])].push_back(static_cast<std::int32_t>(e));
    }
    return all;
  }

 private:
  /// `edge` goes to `forest`, and what pushed it on takes its place, and so on.
  void move_chain(std::int32_t edge, std::int32_t forest) {
    while (edge != kNone) {
      const std::int32_t left = forest_of_[at(edge)];
      put(edge, forest);
      forest = left;
      edge = moved_by_[at(edge)];
    }
  }

  void put(std::int32_t edge, std::int32_t forest) {
    const auto [a, b] = edges_[at(edge)];
    for (const std::int32_t end : {a, b}) {
      if (forest_of_[at(edge)] != kNone) std::erase(at_vertex_[at(forest_of_[at(edge)])][at(end)], edge);
      at_vertex_[at(forest)][at(end)].push_back(edge);
    }
    forest_of_[at(edge)] = forest;
  }

  /// The edges of a forest between the ends of an edge; nothing if they are apart.
  [[nodiscard]] std::optional<std::vector<std::int32_t>> path(std::int32_t forest, GraphEdge ends) const {
    const auto& edges_at = at_vertex_[at(forest)];
    std::vector<std::int32_t> came_by(edges_at.size(), kNone);
    std::vector<std::int32_t> queue{ends.first};
    for (std::size_t i = 0; i < queue.size() && queue[i] != ends.second; ++i) {
      for (const std::int32_t edge : edges_at[at(queue[i])]) {
        const std::int32_t other = far_end(edge, queue[i]);
        if (edge == came_by[at(queue[i])] || other == ends.first) continue;
        came_by[at(other)] = edge;
        queue.push_back(other);
      }
    }
    if (came_by[at(ends.second)] == kNone) return std::nullopt;
    std::vector<std::int32_t> between;
    for (std::int32_t vertex = ends.second; vertex != ends.first; vertex = far_end(between.back(), vertex)) {
      between.push_back(came_by[at(vertex)]);
    }
    return between;
  }

  [[nodiscard]] std::int32_t far_end(std::int32_t edge, std::int32_t end) const {
    const auto [a, b] = edges_[at(edge)];
    return end == a ? b : a;
  }

  std::span<const GraphEdge> edges_;
  std::int32_t forests_;
  std::vector<std::int32_t> forest_of_;                            ///< by edge; kNone: in none
  std::vector<std::vector<std::vector<std::int32_t>>> at_vertex_;  ///< by forest and vertex: its edges
  std::vector<std::int32_t> moved_by_;                             ///< by edge: the edge that would replace it
};

}  // namespace

std::vector<std::vector<std::int32_t>> pack_forests(std::int32_t vertices, std::span<const GraphEdge> edges,
                                                    std::int32_t count) {
  Packing packing(vertices, edges, count);
  for (std::int32_t edge = 0; edge < static_cast<std::int32_t>(edges.size()); ++edge) packing.insert(edge);
  return packing.forests();
}

std::vector<std::vector<std::int32_t>> pack_spanning_trees(std::int32_t vertices, std::span<const GraphEdge> edges,
                                                           std::int32_t most) {
  const auto needed = static_cast<std::size_t>(vertices) - 1;
  if (needed == 0) return {{}};
  for (auto count = std::min(most, static_cast<std::int32_t>(edges.size() / needed)); count > 0; --count) {
    std::vector<std::vector<std::int32_t>> forests = pack_forests(vertices, edges, count);
    const bool all_span =
        std::all_of(forests.begin(), forests.end(), [&](const auto& forest) { return forest.size() == needed; });
    if (all_span) return forests;
  }
  return {};
}

}  // namespace muster
