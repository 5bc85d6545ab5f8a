#include "machine/family.h"

#include <gtest/gtest.h>

#include "machine/families.h"
#include "machine/test_hyperx.h"

namespace muster {
namespace {

Machine grid(std::int32_t width, std::int32_t height) {
  Mesh network;
  network.width = network.max_width = width;
  network.height = network.max_height = height;
  return {.name = "wafer", .summary = "", .network = network};
}

std::vector<NodeId> ranks_to_the_middle(const Machine& machine) {
  return machine.family().ranks_to_the_middle(machine.network);
}

bool is_line(const Machine& machine) { return machine.family().is_line(machine.network); }

TEST(Family, OfAMeshTakesTheEighthsOfItsSidesUpToTheMiddle) {
  EXPECT_EQ(ranks_to_the_middle(grid(17, 1)), (std::vector<NodeId>{0, 2, 4, 6, 8}));
  EXPECT_EQ(ranks_to_the_middle(grid(3, 3)), (std::vector<NodeId>{0, 1, 3, 4}));
  EXPECT_EQ(ranks_to_the_middle(grid(1, 1)), (std::vector<NodeId>{0}));
}

TEST(Family, WithoutAKnownMiddleTakesTheFirstRank) {
  EXPECT_EQ(ranks_to_the_middle(test_hyperx({4, 4})), (std::vector<NodeId>{0}));
}

TEST(Family, OfAMeshHasLinesThatAreRowsOrColumns) {
  EXPECT_TRUE(is_line(grid(5, 1)));
  EXPECT_TRUE(is_line(grid(1, 5)));
  EXPECT_FALSE(is_line(grid(2, 5)));
  EXPECT_FALSE(is_line(test_hyperx({4})));
}

TEST(Family, TakesTheFlagsOfItsOwn) {
  EXPECT_TRUE(grid(5, 1).family().takes("--grid"));
  EXPECT_FALSE(grid(5, 1).family().takes("--nodes"));
}

}  // namespace
}  // namespace muster
