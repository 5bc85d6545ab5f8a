#include "base/strong_components.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster {
namespace {

/// A graph by its adjacency matrix, and in the form that strong_components() takes.
struct Graph {
  std::vector<std::vector<bool>> linked;
  std::vector<std::int32_t> first{0};
  std::vector<std::int32_t> to;

  explicit Graph(std::vector<std::vector<bool>> matrix) : linked(std::move(matrix)) {
    for (const auto& row : linked) {
      for (std::size_t w = 0; w < row.size(); ++w) {
        if (row[w]) to.push_back(static_cast<std::int32_t>(w));
      }
      first.push_back(static_cast<std::int32_t>(to.size()));
    }
  }
  [[nodiscard]] StrongComponents components() const {
    return strong_components(first, [this](std::int32_t e) { return to[at(e)]; });
  }
};

Graph random_graph() {
  const auto n = *rc::gen::inRange<std::size_t>(1, 12);
  const auto density = *rc::gen::inRange(0, 40);
  std::vector<std::vector<bool>> linked(n, std::vector<bool>(n, false));
  for (auto& row : linked) {
    for (std::size_t w = 0; w < n; ++w) row[w] = *rc::gen::inRange(0, 100) < density;
  }
  return Graph(linked);
}

std::vector<std::vector<bool>> reachable(std::vector<std::vector<bool>> linked) {
  const std::size_t n = linked.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t w = 0; w < n; ++w) linked[v][w] = linked[v][w] || (linked[v][k] && linked[k][w]);
    }
  }
  return linked;
}

RC_GTEST_PROP(StrongComponents, JoinsExactlyTheVerticesThatReachEachOther, ()) {
  const Graph graph = random_graph();
  const StrongComponents found = graph.components();
  const auto reach = reachable(graph.linked);
  for (std::size_t v = 0; v < reach.size(); ++v) {
    for (std::size_t w = 0; w < reach.size(); ++w) {
      const bool together = v == w || (reach[v][w] && reach[w][v]);
      RC_ASSERT(together == (found.component[v] == found.component[w]));
      if (graph.linked[v][w]) RC_ASSERT(found.component[w] <= found.component[v]);
    }
  }
}

TEST(StrongComponents, FinishesTargetsFirst) {
  const Graph chain({{false, true, false}, {false, false, true}, {false, false, false}});
  EXPECT_EQ(chain.components().finished, (std::vector<std::int32_t>{2, 1, 0}));
  EXPECT_EQ(chain.components().count, 3);
}

TEST(StrongComponents, SkipsEdgesThatDoNotCount) {
  const Graph pair({{false, true}, {true, false}});
  EXPECT_EQ(pair.components().count, 1);
  const auto none = strong_components(pair.first, [](std::int32_t) { return kNoTarget; });
  EXPECT_EQ(none.count, 2);
}

TEST(StrongComponents, NeedsNoDeepStack) {
  constexpr std::int32_t kLength = 1'000'000;
  std::vector<std::int32_t> first(kLength + 1);
  for (std::int32_t v = 0; v <= kLength; ++v) first[at(v)] = v;
  const auto ring = strong_components(first, [](std::int32_t e) { return (e + 1) % kLength; });
  EXPECT_EQ(ring.count, 1);
}

}  // namespace
}  // namespace muster
