#include "study/activity.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Activity, IsThePartOfEveryWindowThatSpansFill) {
  Timeline timeline{.in_picoseconds = true};
  timeline.tracks = {{.group = "dimension", .name = "dimension 1"}, {.group = "dimension", .name = "dimension 2"}};
  timeline.spans = {{.track = 0, .begin = Ticks(0), .end = Ticks(15'000), .label = ""},
                    {.track = 1, .begin = Ticks(5'000), .end = Ticks(10'000), .label = ""},
                    {.track = 1, .begin = Ticks(19'000), .end = Ticks(24'000), .label = ""}};
  const auto curves = activity_curves(timeline, Seconds(10e-9));
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[1].name, "dimension 2");
  const std::vector<std::pair<double, double>> first{{5e-6, 100}, {15e-6, 50}, {22e-6, 0}};
  const std::vector<std::pair<double, double>> second{{5e-6, 50}, {15e-6, 10}, {22e-6, 100}};
  for (std::size_t w = 0; w < 3; ++w) {
    EXPECT_NEAR(curves[0].points[w].first, first[w].first, 1e-12);
    EXPECT_DOUBLE_EQ(curves[0].points[w].second, first[w].second);
    EXPECT_DOUBLE_EQ(curves[1].points[w].second, second[w].second);
  }
}

}  // namespace
}  // namespace muster
