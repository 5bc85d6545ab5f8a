#include "collective/grid/line.h"

#include <gtest/gtest.h>

#include "collective/collective_test_support.h"
#include "machine/mesh.h"

namespace muster {
namespace {

TEST(Line, HasTheShorterSideFirst) {
  const auto [shorter, longer] = Line{.length = 7, .root = 5}.sides();
  EXPECT_EQ(shorter.length, 2);
  EXPECT_EQ(shorter.node(1), 6);
  EXPECT_EQ(longer.length, 6);
  EXPECT_EQ(longer.node(0), 5);
  EXPECT_EQ(longer.node(5), 0);
}

TEST(Line, WithItsRootAtAnEndHasOneSideThatIsTheRootAlone) {
  const auto [alone, rest] = Line{.length = 4, .root = 3}.sides();
  EXPECT_EQ(alone.length, 1);
  EXPECT_EQ(rest.length, 4);
  EXPECT_EQ(rest.node(3), 0);
}

TEST(Line, KnowsWhetherItsRootIsInside) {
  EXPECT_FALSE((Line{.length = 4, .root = 0}.root_inside()));
  EXPECT_TRUE((Line{.length = 4, .root = 1}.root_inside()));
  EXPECT_FALSE((Line{.length = 4, .root = 3}.root_inside()));
  EXPECT_FALSE((Line{.length = 1, .root = 0}.root_inside()));
}

TEST(Line, OfAGridIsARowOrAColumn) {
  const Machine wafer = ideal_wafer(5, 4);
  const Line row = row_of(*as<Mesh>(wafer), 2, 3);
  EXPECT_EQ(row.node(0), 10);
  EXPECT_EQ(row.sides()[0].node(1), 14);
  EXPECT_EQ(row.sides()[1].node(3), 10);
  const Line column = column_of(*as<Mesh>(wafer), 1, 3);
  EXPECT_EQ(column.node(3), 16);
  EXPECT_EQ(column.sides()[1].node(3), 1);
}

TEST(Line, HasARequestOfItsOwnOnAGrid) {
  const Request grid = reduce_request(5, 4, 8, 13);
  EXPECT_EQ(shape_text(row_request(grid).machine), "5x1");
  EXPECT_EQ(row_request(grid).root, 3);
  EXPECT_EQ(shape_text(column_request(grid).machine), "1x4");
  EXPECT_EQ(column_request(grid).root, 2);
}

TEST(Line, IsNoGrid) {
  EXPECT_EQ(unless_grid(reduce_request(5, 1, 8)), "needs several rows and columns, got 5x1");
  EXPECT_EQ(unless_grid(reduce_request(5, 2, 8)), std::nullopt);
}

TEST(Line, IsARowAColumnOrASingleProcessorButNoGrid) {
  EXPECT_EQ(line_of(reduce_request(5, 1, 8, 2)).value().root, 2);
  EXPECT_EQ(line_of(reduce_request(1, 6, 8)).value().length, 6);
  EXPECT_EQ(line_of(reduce_request(1, 1, 8)).value().length, 1);
  EXPECT_FALSE(line_of(reduce_request(4, 4, 8)).has_value());
  EXPECT_EQ(unless_line(reduce_request(4, 3, 8)), "needs a row or a column, got 4x3");
  EXPECT_EQ(unless_line(reduce_request(4, 1, 8)), std::nullopt);
}

}  // namespace
}  // namespace muster
