#include "paper/figures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/plan_test_support.h"

namespace muster {
namespace {

using Show = PanelSpec::Show;

FigureSpec small_figure(Show show) {
  return {.number = 99,
          .title = "small",
          .note = "",
          .map_title = "",
          .panels = {{.title = "one",
                      .show = show,
                      .collective = Collective::reduce,
                      .drawn = {{"chain", "c"}, {"star", "s"}},
                      .shapes = {{4, 1}, {16, 1}},
                      .counts = {1, 64},
                      .transit_budget = show == Show::best_speedup ? 0 : 1000}}};
}

TEST(Figures, DrawsPredictedAndSimulatedTimesAsCurves) {
  FigureSpec spec = small_figure(Show::over_counts);
  spec.panels[0].shapes = {{16, 1}};
  spec.panels[0].transit_budget = 40;
  const FigureAnswer answer = make_figure(spec, shipped_machine("wse2"));
  ASSERT_EQ(answer.figure.panels.size(), 1U);
  const Panel& panel = answer.figure.panels[0];
  ASSERT_EQ(panel.curves.size(),
            4U);  // the bound, both predicted, one simulated: a star's messages pass too many routers
  EXPECT_EQ(panel.curves[0].basis, Curve::Basis::bound);
  EXPECT_EQ(panel.curves[1].name, "c");
  EXPECT_EQ(panel.curves[1].basis, Curve::Basis::predicted);
  EXPECT_EQ(panel.curves[1].points.size(), 2U);
  EXPECT_EQ(panel.curves[1].points[1].first, 256.0);  // bytes
  const CandidateAnswer& chain = answer.sweeps[0].sizes[1].candidates[0];
  EXPECT_EQ(panel.curves[1].points[1].second, static_cast<double>(chain.predicted_cycles->value()));
  EXPECT_EQ(panel.curves[2].basis, Curve::Basis::simulated);
  EXPECT_EQ(panel.curves[2].points.size(), 2U);
}

TEST(Figures, DrawsTimesOverProcessors) {
  FigureSpec spec = small_figure(Show::over_shapes);
  spec.panels[0].counts = {1};
  const FigureAnswer answer = make_figure(spec, shipped_machine("wse2"));
  EXPECT_EQ(answer.figure.panels[0].curves[1].points[1].first, 16.0);
}

TEST(Figures, DrawsRegionsOfTheBestAndItsSpeedupOverTheFirst) {
  const FigureAnswer answer = make_figure(small_figure(Show::best_speedup), shipped_machine("wse2"));
  const HeatMap& map = *answer.figure.panels[0].map;
  EXPECT_EQ(map.xs, (std::vector<double>{4, 256}));
  EXPECT_EQ(map.ys, (std::vector<double>{4, 16}));
  EXPECT_EQ(map.region_of, (std::vector<std::size_t>{1, 0, 1, 0}));  // star for a scalar, else chain
  EXPECT_GT(map.values[0], 1);
  EXPECT_EQ(map.values[1], 1);
}

TEST(Figures, TellsItsProgress) {
  double last = 0;
  make_figure(small_figure(Show::over_counts), shipped_machine("wse2"), [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
  });
  EXPECT_EQ(last, 1.0);
}

TEST(Figures, NameOnlyRegisteredAlgorithms) {
  for (const FigureSpec& spec : figure_specs()) {
    for (const PanelSpec& panel : spec.panels) {
      for (const Drawn& drawn : panel.drawn) {
        EXPECT_NO_THROW(find_algorithm(panel.collective, "mesh", drawn.algorithm)) << spec.number;
      }
    }
  }
}

TEST(Figures, AreThoseOfThePaper) {
  std::vector<int> numbers;
  for (const FigureSpec& spec : figure_specs()) numbers.push_back(spec.number);
  EXPECT_EQ(numbers, (std::vector<int>{1, 8, 10, 11, 12, 13}));
}

TEST(Figures, ComparesWithThePapersBoundAndNoOther) {
  const FigureSpec& first = figure_specs().front();
  FigureSpec spec = first;
  spec.panels.resize(1);
  spec.panels[0].shapes = {{16, 1}};
  spec.panels[0].counts = {8};
  const FigureAnswer answer = make_figure(spec, shipped_machine("wse2"));
  EXPECT_EQ(answer.sweeps[0].sizes[0].bound->cycles, Cycles(35));
  EXPECT_NEAR(answer.figure.panels[0].map->values[0], 125.0 / 35, 1e-9);  // star: 8 * 15 + 5
}

}  // namespace
}  // namespace muster
