#include "report/svg_plot.h"

#include <gtest/gtest.h>

#include <limits>

#include "report/csv_report.h"
#include "report/svg_line.h"

namespace muster {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++number;
  return number;
}

/// Whether every element that is opened is closed, in order, and attributes are quoted: enough for what we write.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag[0] == '?' || tag[0] == '!') continue;
    if (count(tag, "\"") % 2 != 0) return false;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty();
}

Figure curves_figure() {
  Figure figure{
      .name = "f", .title = "times & <sizes>", .note = "a note", .map_title = "", .names = {"a", "b"}, .panels = {}};
  const PlotAxis bytes{.title = "length", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::bytes};
  const PlotAxis cycles{.title = "cycles", .scale = PlotAxis::Scale::decimal, .unit = PlotAxis::Unit::number};
  figure.panels.push_back(
      {.title = "p",
       .x = bytes,
       .y = cycles,
       .curves = {{.name = "a", .basis = Curve::Basis::simulated, .points = {{4, 10}, {8, 200}, {16, 5000}}},
                  {.name = "b", .basis = Curve::Basis::predicted, .points = {{4, 20}, {16, 40}}}},
       .map = std::nullopt});
  return figure;
}

Figure map_figure() {
  Figure figure{.name = "m", .title = "map", .note = "", .map_title = "ratio", .names = {}, .panels = {}};
  HeatMap map{.xs = {1, 2, 4},
              .ys = {4, 8},
              .values = {1, 2, 3, 4, 5, 6},
              .region_of = {0, 0, 1, 0, 1, 1},
              .regions = {"left", "right"}};
  const PlotAxis log{.title = "x", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::number};
  figure.panels.push_back({.title = "p", .x = log, .y = log, .curves = {}, .map = map});
  return figure;
}

TEST(SvgPlot, DrawsCurvesWithMarksAndDashes) {
  const std::string svg = svg_plot(curves_figure(), "muster figures --out x");
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<polyline"), 2U);
  EXPECT_EQ(count(svg, "<circle"), 3U + 1U);  // the points of a, and its mark in the legend
  EXPECT_NE(svg.find("times &amp; &lt;sizes&gt;"), std::string::npos);
  EXPECT_NE(svg.find(">16 B<"), std::string::npos);
  EXPECT_NE(svg.find(">1,000<"), std::string::npos);
}

TEST(SvgPlot, BeginsWithItsMaker) {
  const std::string svg = svg_plot(curves_figure(), "muster figures --out x");
  EXPECT_NE(svg.find("<!-- Muster: muster figures -"), std::string::npos);
  EXPECT_EQ(count(svg, "--"), 2U) << "a comment must not hold two hyphens";
}

TEST(SvgPlot, DrawsMapsWithBordersAndNamesOfRegions) {
  const std::string svg = svg_plot(map_figure(), "m");
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_NE(svg.find(">left</text>"), std::string::npos);
  EXPECT_NE(svg.find(">right</text>"), std::string::npos);
  EXPECT_EQ(count(svg, "stroke-width=\"1.6\""), 3U);  // borders
  EXPECT_NE(svg.find(">ratio</text>"), std::string::npos);
}

TEST(SvgPlot, WritesTheValuesOfAMapWithoutRegions) {
  Figure figure = map_figure();
  figure.panels[0].map->region_of.clear();
  figure.panels[0].map->regions.clear();
  const std::string svg = svg_plot(figure, "m");
  EXPECT_NE(svg.find(">6.0</text>"), std::string::npos);
}

TEST(SvgPlot, CutsOffWhatIsTooLarge) {
  Figure figure = curves_figure();
  figure.panels[0].y.most = 300;
  EXPECT_EQ(svg_plot(figure, "m").find(">1,000<"), std::string::npos);
}

TEST(SvgPlot, OfNothingIsStillAPicture) {
  EXPECT_TRUE(is_well_formed(svg_plot({}, "m")));
  Figure figure = curves_figure();
  for (Curve& curve : figure.panels[0].curves) curve.points.clear();
  EXPECT_TRUE(is_well_formed(svg_plot(figure, "m")));
}

std::vector<std::string> labels_of(const SvgScale& scale) {
  std::vector<std::string> labels;
  for (const SvgScale::Tick& tick : scale.ticks(11, SvgScale::Along::height)) labels.push_back(tick.label);
  return labels;
}

TEST(SvgScale, HasTicksAtPowersAndRoundNumbers) {
  const PlotAxis decimal{.title = "", .scale = PlotAxis::Scale::decimal, .unit = PlotAxis::Unit::number};
  const PlotAxis binary{.title = "", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::bytes};
  const PlotAxis linear{.title = "", .scale = PlotAxis::Scale::linear, .unit = PlotAxis::Unit::number};
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels_of({decimal, 5, 50000, 0, 400}), Labels({"10", "100", "1,000", "10,000"}));
  EXPECT_EQ(labels_of({decimal, 90, 1100, 0, 400}), Labels({"100", "200", "500", "1,000"}));
  EXPECT_EQ(labels_of({decimal, 260, 770, 0, 400}), Labels({"300", "400", "500", "600"}));
  EXPECT_EQ(labels_of({binary, 512, 2048, 0, 400}), Labels({"512 B", "1 KiB", "2 KiB"}));
  EXPECT_EQ(labels_of({linear, 0, 10, 0, 400}), Labels({"0", "2", "4", "6", "8", "10"}));
}

TEST(SvgScale, LeavesOutLabelsThatTouch) {
  const PlotAxis binary{.title = "", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::number};
  const SvgScale scale(binary, 1, 1024, 0, 100);
  std::size_t labels = 0;
  for (const SvgScale::Tick& tick : scale.ticks(11, SvgScale::Along::width)) labels += tick.label.empty() ? 0 : 1;
  EXPECT_EQ(scale.ticks(11, SvgScale::Along::width).size(), 11U);
  EXPECT_LT(labels, 8U);
  EXPECT_GT(labels, 2U);
}

TEST(SvgScale, NamesTheFirstAndTheLastTickWhereThereIsRoomForBoth) {
  const PlotAxis binary{.title = "", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::bytes};
  for (const double most : {32, 64, 128, 256, 512, 16384, 32768}) {
    const auto ticks = SvgScale(binary, 4, most, 0, 330).ticks(11, SvgScale::Along::width);
    EXPECT_EQ(ticks.front().label, "4 B");
    EXPECT_EQ(ticks.back().label, tick_text(most, PlotAxis::Unit::bytes));
    double free_from = -1e9;
    for (const SvgScale::Tick& tick : ticks) {
      if (tick.label.empty()) continue;
      const double half = svg_text_width(tick.label, 11) / 2;
      EXPECT_GE(tick.position - half, free_from) << tick.label << " of " << most;
      free_from = tick.position + half;
    }
  }
  const auto narrow = SvgScale(binary, 4, 8, 0, 10).ticks(11, SvgScale::Along::width);
  EXPECT_EQ(narrow.front().label, "4 B");
  EXPECT_EQ(narrow.back().label, "");
}

TEST(SvgScale, PlacesASingleValueInTheMiddle) {
  const PlotAxis linear{.title = "", .scale = PlotAxis::Scale::linear, .unit = PlotAxis::Unit::number};
  const PlotAxis decimal{.title = "", .scale = PlotAxis::Scale::decimal, .unit = PlotAxis::Unit::number};
  EXPECT_NEAR(SvgScale(linear, 7, 7, 0, 100).position(7), 50, 1e-9);
  EXPECT_NEAR(SvgScale(decimal, 7, 7, 0, 100).position(7), 50, 1e-9);
}

LinePicture star_picture(std::size_t processors) {
  LinePicture picture{.title = "star", .names = {}, .ends = {}, .owing = {0}, .messages = {}};
  for (std::size_t i = 0; i < processors; ++i) {
    picture.names.push_back(std::to_string(i));
    picture.ends.emplace_back(Cycles(static_cast<std::int64_t>(100 + i)));
    if (i > 0) picture.messages.push_back({.from = i, .to = 0, .channel = 3, .multicast = false});
  }
  return picture;
}

TEST(SvgLine, HasAnArcPerMessageAndATimePerProcessor) {
  const std::string svg = svg_line(star_picture(9), "m");
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<path"), 8U);
  EXPECT_EQ(count(svg, "<circle"), 9U);
  EXPECT_NE(svg.find(">108</text>"), std::string::npos);
  EXPECT_NE(svg.find(">color 3</text>"), std::string::npos);
}

TEST(SvgLine, HasNoTimesWhereTheyCouldNotBeRead) {
  const std::string svg = svg_line(star_picture(500), "m");
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<path"), 499U);
  EXPECT_EQ(svg.find(">599</text>"), std::string::npos);
  EXPECT_NE(svg.find(">0</text>"), std::string::npos);
}

TEST(SvgLine, DrawsOneProcessorAndNoMessages) { EXPECT_TRUE(is_well_formed(svg_line(star_picture(1), "m"))); }

}  // namespace
}  // namespace muster
