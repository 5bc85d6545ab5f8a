#include "collective/grid/link_load.h"

#include <gtest/gtest.h>

#include "machine/mesh.h"
#include "schedule/builder.h"

namespace muster {
namespace {

Mesh grid(std::int32_t width, std::int32_t height) {
  Mesh mesh;
  mesh.width = width;
  mesh.height = height;
  return mesh;
}

TEST(BusiestLink, OfAStarIsNextToTheRoot) {
  ScheduleBuilder b({.nodes = 5, .count = 7});
  const SpanId all = b.span({0, 7});
  for (NodeId n = 1; n < 5; ++n) b.stream(n, 0, all);
  EXPECT_EQ(busiest_link_words(std::move(b).finish(), grid(5, 1)), 4 * 7);
}

TEST(BusiestLink, CountsBothWaysOfALinkApart) {
  ScheduleBuilder b({.nodes = 2, .count = 7});
  const SpanId all = b.span({0, 7});
  b.stream(0, 1, all);
  b.stream(1, 0, all);
  EXPECT_EQ(busiest_link_words(std::move(b).finish(), grid(2, 1)), 7);
}

TEST(BusiestLink, FollowsRowsThenColumnsOrAGivenRoute) {
  ScheduleBuilder b({.nodes = 6, .count = 10});  // 3x2
  const SpanId all = b.span({0, 10});
  b.stream(2, 3, all);                                     // west along row 0, then south in column 0
  b.stream(1, 0, all);                                     // meets it on the last link of the row
  b.route(b.stream(5, 0, all), {{5, 4}, {4, 1}, {1, 0}});  // and so does this
  EXPECT_EQ(busiest_link_words(std::move(b).finish(), grid(3, 2)), 30);
}

}  // namespace
}  // namespace muster
