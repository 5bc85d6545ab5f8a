#include "base/adjacency.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Adjacency, ListsTheEdgesOfAVertexInTheOrderInWhichTheyAreNamed) {
  const Adjacency graph = make_adjacency(4, [](auto add) {
    add(2, 7);
    add(0, 5);
    add(2, 3);
  });
  EXPECT_EQ(graph.first, (std::vector<std::int32_t>{0, 1, 1, 3, 3}));
  EXPECT_EQ(graph.to, (std::vector<std::int32_t>{5, 7, 3}));
  EXPECT_EQ(graph.of(2).size(), 2U);
  EXPECT_TRUE(graph.of(1).empty());
  EXPECT_TRUE(graph.of(3).empty());
}

TEST(Adjacency, MayHaveNoVertex) {
  EXPECT_EQ(make_adjacency(0, [](auto) {}).first, (std::vector<std::int32_t>{0}));
}

}  // namespace
}  // namespace muster
