#include "paper/wormhole_figures.h"

#include <gtest/gtest.h>

#include "base/source_dir.h"
#include "machine/loader.h"

namespace muster {
namespace {

TEST(WormholeFigures, HaveAPanelForEachAssignmentOfTheNocs) {
  const Machine machine = load_machine(std::filesystem::path(source_dir()) / "machines" / "wormhole-n150.toml");
  double told = 0;
  const std::vector<FigureAnswer> both = make_wormhole_times(machine, {2, 4}, [&](double part) { told = part; });
  EXPECT_EQ(told, 1);
  ASSERT_EQ(both.size(), 2U);
  const Figure& figure = both[0].figure;
  const double from_first = figure.panels.at(0).curves.at(1).points.at(1).second;
  const double from_own = both[1].figure.panels.at(0).curves.at(1).points.at(1).second;
  EXPECT_GT(from_first, from_own) << "cores do not begin together";
  ASSERT_EQ(figure.panels.size(), 2U);
  for (const Panel& panel : figure.panels) {
    ASSERT_EQ(panel.curves.size(), 3U) << "latency-optimal versions and their theory; the others need 128 KiB";
    for (const Curve& curve : panel.curves) {
      ASSERT_EQ(curve.points.size(), 2U);
      EXPECT_EQ(curve.points[0].first, 2048);
      EXPECT_LT(curve.points[0].second, curve.points[1].second);
    }
    // 6 x 2 KiB at 9 GB/s, and three synchronisations of 18 hops of 9 ns.
    EXPECT_NEAR(panel.curves[2].points[0].second, 1.851, 0.0011);
  }
  EXPECT_GT(figure.panels[0].curves[0].points[0].second, figure.panels[1].curves[0].points[0].second)
      << "swapped NoCs go the long way round";
}

TEST(WormholeFigures, GoAsFarAsTheMemoryDoes) {
  EXPECT_EQ(wormhole_sizes().front(), 2);
  EXPECT_EQ(wormhole_sizes().back(), 512);
}

}  // namespace
}  // namespace muster
