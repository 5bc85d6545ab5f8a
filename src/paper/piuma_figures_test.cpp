#include "paper/piuma_figures.h"

#include <gtest/gtest.h>

#include "machine/test_hyperx.h"

namespace muster {
namespace {

const Curve& curve(const Panel& panel, const std::string& name) {
  for (const Curve& candidate : panel.curves) {
    if (candidate.name == name) return candidate;
  }
  ADD_FAILURE() << "no curve " << name << " in " << panel.title;
  return panel.curves.front();
}

/// With the network of PIUMA in its own shape.
const FigureAnswer& performance() {
  static const FigureAnswer answer = make_piuma_performance(test_hyperx({4, 4}));
  return answer;
}

TEST(PiumaFigures, ShowLatencyFromOneNodeTo16384) {
  const Panel& panel = performance().figure.panels[0];
  const Curve& network = curve(panel, "in-network");
  ASSERT_EQ(network.points.size(), 15U);
  EXPECT_EQ(network.points.front().first, 1);
  EXPECT_EQ(network.points.back().first, 16'384);
  // 2.5 ns to read and to write at half of the memory's bandwidth, and twice the depth of 375 ns.
  EXPECT_NEAR(network.points.back().second, 0.755, 1e-9);
  const Curve& hosts = curve(panel, "host-based");
  for (std::size_t i = 0; i < network.points.size(); ++i) {
    EXPECT_EQ(hosts.points[i].first, network.points[i].first);
    EXPECT_GT(hosts.points[i].second, 7 * 1.2) << "a core talks to 127 others at least: 7 rounds";
  }
  EXPECT_GT(hosts.points.back().second, 40 * network.points.back().second) << "the paper says more than 40 times";
}

/// A core's memory reads and writes the vector, 51.2 Gb/s for both: 25.6 Gb/s.
TEST(PiumaFigures, ComeNearTheBandwidthOfMemoryForLongVectors) {
  const Panel& sizes = performance().figure.panels[1];
  const Curve& network = curve(sizes, "in-network");
  EXPECT_EQ(network.points.front().first, 256);
  EXPECT_EQ(network.points.back().first, 1 << 30);
  for (std::size_t i = 1; i < network.points.size(); ++i) {
    EXPECT_GT(network.points[i].second, network.points[i - 1].second) << "grows with the vector";
    EXPECT_LT(network.points[i].second, 25.6);
  }
  EXPECT_NEAR(network.points.back().second, 25.6, 0.01);
  EXPECT_NEAR(network.points.back().second / curve(sizes, "host-based").points.back().second, 3.5, 0.05);
}

TEST(PiumaFigures, LoseLittleBandwidthOnManyNodes) {
  const Curve& network = curve(performance().figure.panels[2], "in-network");
  EXPECT_LT(network.points.back().second, network.points.front().second);
  EXPECT_GT(network.points.back().second, 0.98 * network.points.front().second);
}

TEST(PiumaFigures, ShowEachValueOfTrainingInItsCurve) {
  const FigureAnswer answer = make_piuma_training(
      {{.batch = 32, .host_wait = 60, .network_wait = 30, .speedup = 2, .overlapped = 3}, {.batch = 64}});
  ASSERT_EQ(answer.figure.panels.size(), 2U);
  EXPECT_EQ(curve(answer.figure.panels[0], "host-based").points.front(), std::pair(32.0, 60.0));
  EXPECT_EQ(curve(answer.figure.panels[0], "in-network").points.front(), std::pair(32.0, 30.0));
  EXPECT_EQ(curve(answer.figure.panels[1], "in-network").points.front(), std::pair(32.0, 2.0));
  EXPECT_EQ(curve(answer.figure.panels[1], "in-network, overlapped").points.front(), std::pair(32.0, 3.0));
  EXPECT_EQ(curve(answer.figure.panels[1], "in-network").points.back().first, 64);
}

}  // namespace
}  // namespace muster
