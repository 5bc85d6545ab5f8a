#include "paper/themis_figures.h"

#include <gtest/gtest.h>

#include "base/index.h"
#include "machine/cluster.h"
#include "machine/machine.h"

namespace muster {
namespace {

/// Each system cut to two members per dimension, so that figures take no time.
Machine small_system(const std::string& name) {
  Cluster cluster;
  for (int d = 0; d < name[7] - '0'; ++d) {
    cluster.dimensions.push_back({.kind = Cluster::Kind::switched,
                                  .size = 2,
                                  .link_bandwidth = BytesPerSecond(1e11 / (d + 1)),
                                  .links = 1,
                                  .latency = Seconds(1e-6)});
  }
  cluster.buffer_chunks = 2;
  return {.name = name, .summary = "", .network = cluster};
}

TEST(ThemisFigures, HaveAPanelPerSystemAndACurvePerScheduler) {
  const FigureAnswer answer = make_themis_figure(11, small_system);
  EXPECT_EQ(answer.figure.name, "themis-figure-11");
  ASSERT_EQ(answer.figure.panels.size(), 6U);
  ASSERT_EQ(answer.sweeps.size(), 6U);
  for (const Panel& panel : answer.figure.panels) {
    ASSERT_EQ(panel.curves.size(), 4U);
    for (const Curve& curve : panel.curves) EXPECT_EQ(curve.points.size(), 5U);
  }
  const CandidateAnswer& last = answer.sweeps[0].sizes[4].candidates[3];
  EXPECT_EQ(last.algorithm, "balanced");
  EXPECT_EQ(answer.figure.panels[0].curves[3].points[4], (std::pair{1000.0, 100 * *last.utilization}));
}

TEST(ThemisFigures, ShowTimesAndTheBound) {
  const FigureAnswer answer = make_themis_figure(8, small_system);
  const Panel& panel = answer.figure.panels[1];
  ASSERT_EQ(panel.curves.size(), 5U);
  EXPECT_EQ(panel.curves[4].basis, Curve::Basis::bound);
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t p = 0; p < 5; ++p) EXPECT_GE(panel.curves[c].points[p].second, panel.curves[4].points[p].second);
  }
}

TEST(ThemisFigures, ShowGrowingNumbersOfChunks) {
  const FigureAnswer answer = make_themis_figure(10, small_system);
  ASSERT_EQ(answer.figure.panels.size(), 2U);
  EXPECT_EQ(answer.figure.panels[0].curves[0].points.front().first, 4);
  EXPECT_EQ(answer.figure.panels[0].curves[0].points.back().first, 512);
  EXPECT_EQ(answer.sweeps[1].sizes[0].candidates[1].parameters.at("order").text(), "fifo");
}

TEST(ThemisFigures, ShowTheActivityOfEveryDimension) {
  const FigureAnswer answer = make_themis_figure(9, small_system);
  ASSERT_EQ(answer.figure.panels.size(), 3U);
  EXPECT_EQ(answer.figure.panels[2].title, "dimension 3");
  ASSERT_EQ(answer.figure.panels[2].curves.size(), 4U);
  EXPECT_EQ(answer.figure.panels[2].curves[1].name, "Themis+FIFO");
  EXPECT_TRUE(answer.sweeps.empty());
}

}  // namespace
}  // namespace muster
