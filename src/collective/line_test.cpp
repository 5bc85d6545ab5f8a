#include "collective/line.h"

#include <gtest/gtest.h>

#include "collective/collective_test_support.h"

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
