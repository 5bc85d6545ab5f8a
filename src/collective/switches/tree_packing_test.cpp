#include "collective/switches/tree_packing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/index.h"
#include "collective/switches/switches_test_support.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

std::vector<GraphEdge> links_of(const HyperX& hyperx) {
  std::vector<GraphEdge> links;
  for (std::int32_t a = 0; a < hyperx_nodes(hyperx); ++a) {
    for (std::int32_t b = a + 1; b < hyperx_nodes(hyperx); ++b) {
      if (node_link_dimension(hyperx, a, b)) links.emplace_back(a, b);
    }
  }
  return links;
}

/// Whether no edge of the list closes a cycle.
bool is_forest(std::int32_t vertices, std::span<const GraphEdge> edges, const std::vector<std::int32_t>& chosen) {
  std::vector<std::int32_t> parent(at(vertices));
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](std::int32_t v) {
    while (parent[at(v)] != v) v = parent[at(v)];
    return v;
  };
  for (const std::int32_t edge : chosen) {
    const std::int32_t a = find(edges[at(edge)].first);
    const std::int32_t b = find(edges[at(edge)].second);
    if (a == b) return false;
    parent[at(a)] = b;
  }
  return true;
}

/// The most edges in `count` forests, by trying for every edge every forest or none.
std::size_t most_edges(std::int32_t vertices, std::span<const GraphEdge> edges, std::int32_t count) {
  std::vector<std::vector<std::int32_t>> forests(at(count));
  std::size_t best = 0;
  const auto try_edge = [&](const auto& self, std::size_t edge, std::size_t used) -> void {
    best = std::max(best, used);
    if (edge == edges.size() || used + edges.size() - edge <= best) return;
    for (auto& forest : forests) {
      forest.push_back(static_cast<std::int32_t>(edge));
      if (is_forest(vertices, edges, forest)) self(self, edge + 1, used + 1);
      forest.pop_back();
    }
    self(self, edge + 1, used);
  };
  try_edge(try_edge, 0, 0);
  return best;
}

RC_GTEST_PROP(Packing, HasAsManyEdgesAsPossible, ()) {
  const auto vertices = *rc::gen::inRange(2, 7);
  std::vector<GraphEdge> edges;
  for (std::int32_t a = 0; a < vertices; ++a) {
    for (std::int32_t b = a + 1; b < vertices; ++b) {
      if (edges.size() < 10 && *rc::gen::arbitrary<bool>()) edges.emplace_back(a, b);
    }
  }
  const auto count = *rc::gen::inRange(1, 4);
  const auto forests = pack_forests(vertices, edges, count);
  std::set<std::int32_t> used;
  std::size_t all = 0;
  for (const auto& forest : forests) {
    RC_ASSERT(is_forest(vertices, edges, forest));
    used.insert(forest.begin(), forest.end());
    all += forest.size();
  }
  RC_ASSERT(used.size() == all);
  RC_ASSERT(all == most_edges(vertices, edges, count));
}

TEST(Packing, ReachesTheCeilingOfAHyperX) {
  for (const auto& [shape, trees] : std::vector<std::pair<std::vector<std::int32_t>, std::size_t>>{
           {{2}, 1}, {{4}, 2}, {{17}, 8}, {{4, 4}, 3}, {{3, 2}, 1}, {{8, 8}, 7}, {{4, 4, 4}, 4}, {{5, 3, 2}, 3}}) {
    const Machine machine = test_hyperx(shape);
    const std::vector<GraphEdge> links = links_of(*as<HyperX>(machine));
    const std::int32_t nodes = hyperx_nodes(*as<HyperX>(machine));
    EXPECT_EQ(links.size() / at(nodes - 1), trees);
    EXPECT_EQ(pack_spanning_trees(nodes, links, 99).size(), trees) << shape_text(machine);
  }
}

TEST(Packing, FindsNoTreeWhereTheGraphFallsApart) {
  const std::vector<GraphEdge> edges{{0, 1}, {2, 3}, {0, 1}};
  EXPECT_TRUE(pack_spanning_trees(4, edges, 3).empty());
}

}  // namespace
}  // namespace muster
