// Layout first: panels in rows of three, each with space for its ticks and titles; the legend below them.
#include "report/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace muster {
namespace {

constexpr double kLeft = 78;  // of the picture: ticks and the axis' title
constexpr double kRight = 18;
constexpr double kTop = 34;     // the panel's title
constexpr double kBottom = 56;  // ticks and the axis' title
constexpr double kTitleLine = 22;
constexpr double kLegendLine = 24;
constexpr double kNoteLine = 17;
constexpr double kSmall = 11.5;
constexpr double kMedium = 13;
constexpr double kLarge = 16;
constexpr std::size_t kColumns = 3;
constexpr std::size_t kMostMarks = 24;  // of a curve, so that they do not cover it

const char* const kGridColor = "#e6e6e6";
const char* const kMuted = "#666666";

/// Eight colors that most eyes can tell apart (after Okabe and Ito), and two more.
const std::array<const char*, 10> kColors{"#e69f00", "#0072b2", "#009e73", "#d55e00", "#7b3fa0",
                                          "#111111", "#56b4e9", "#cc79a7", "#8c6d31", "#777777"};

std::size_t slot_of(const Figure& figure, const std::string& name) {
  const auto found = std::find(figure.names.begin(), figure.names.end(), name);
  return static_cast<std::size_t>(found - figure.names.begin());
}

std::string color_of(const Figure& figure, const std::string& name) {
  return kColors[slot_of(figure, name) % kColors.size()];
}

/// A mark of the slot's own shape, so that a print without colors can be read.
void draw_mark(SvgDocument& svg, SvgPoint at, std::size_t slot, const std::string& color) {
  const double r = 4;
  switch (slot % 5) {
    case 0:
      return svg.circle(at, r - 0.3, color);
    case 1:
      return svg.polygon({{at.x - r, at.y - r}, {at.x + r, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}},
                         color);
    case 2:
      return svg.polygon({{at.x, at.y - r - 1}, {at.x + r + 1, at.y + r}, {at.x - r - 1, at.y + r}}, color);
    case 3:
      return svg.polygon({{at.x, at.y - r - 1}, {at.x + r + 1, at.y}, {at.x, at.y + r + 1}, {at.x - r - 1, at.y}},
                         color);
    default:
      return svg.polygon({{at.x, at.y + r + 1}, {at.x + r + 1, at.y - r}, {at.x - r - 1, at.y - r}}, color);
  }
}

SvgStroke stroke_of(const Curve& curve, const std::string& color) {
  switch (curve.basis) {
    case Curve::Basis::simulated:
      return {.color = color, .width = 2};
    case Curve::Basis::predicted:
      return {.color = color, .width = 1.4, .dashes = "5 3.5"};
    case Curve::Basis::bound:
      return {.color = kMuted, .width = 1.4, .dashes = "1.5 3"};
  }
  return {};
}

void draw_ticks(SvgDocument& svg, const Panel& panel, const PlotArea& area, const SvgScale& x, const SvgScale& y) {
  const bool grid = !panel.map;
  for (const SvgScale::Tick& tick : x.ticks(kSmall, SvgScale::Along::width)) {
    if (grid) svg.line({tick.position, area.top}, {tick.position, area.bottom}, {.color = kGridColor});
    svg.line({tick.position, area.bottom}, {tick.position, area.bottom + (tick.label.empty() ? 3 : 5)}, {});
    if (!tick.label.empty()) svg.text({tick.position, area.bottom + 14}, tick.label, {.size = kSmall});
  }
  for (const SvgScale::Tick& tick : y.ticks(kSmall, SvgScale::Along::height)) {
    if (grid) svg.line({area.left, tick.position}, {area.right, tick.position}, {.color = kGridColor});
    svg.line({area.left - (tick.label.empty() ? 3 : 5), tick.position}, {area.left, tick.position}, {});
    if (tick.label.empty()) continue;
    svg.text({area.left - 8, tick.position}, tick.label, {.size = kSmall, .anchor = SvgText::Anchor::end});
  }
}

void draw_titles(SvgDocument& svg, const Panel& panel, const PlotArea& area) {
  svg.text({(area.left + area.right) / 2, area.top - 14}, panel.title, {.size = kMedium, .bold = true});
  svg.text({(area.left + area.right) / 2, area.bottom + 36}, panel.x.title, {.size = kMedium});
  svg.text({area.left - 62, (area.top + area.bottom) / 2}, panel.y.title, {.size = kMedium, .upright = true});
}

/// The least and the largest of one coordinate of all points.
template <class Coordinate>
std::pair<double, double> extent_of(const Panel& panel, Coordinate coordinate) {
  std::pair<double, double> extent{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (const Curve& curve : panel.curves) {
    for (const auto& point : curve.points) {
      extent.first = std::min(extent.first, coordinate(point));
      extent.second = std::max(extent.second, coordinate(point));
    }
  }
  if (extent.first > extent.second) return {1, 2};
  return extent;
}

/// A little more than the extent, so that marks do not touch the frame.
std::pair<double, double> padded(const PlotAxis& axis, std::pair<double, double> extent, double share) {
  const auto [least, most] = extent;
  if (axis.scale == PlotAxis::Scale::linear) return {std::min(0.0, least), most + share * (most - least)};
  const double factor = std::pow(most / least, share);
  return {least / factor, most * factor};
}

void draw_curves(SvgDocument& svg, const Figure& figure, const Panel& panel, const PlotArea& area) {
  const auto xs = padded(panel.x, extent_of(panel, [](const auto& p) { return p.first; }), 0.03);
  auto heights = extent_of(panel, [](const auto& p) { return p.second; });
  if (panel.y.most > heights.first) heights.second = std::min(heights.second, panel.y.most);
  const auto ys = padded(panel.y, heights, 0.06);
  const SvgScale x(panel.x, xs.first, xs.second, area.left, area.right);
  const SvgScale y(panel.y, ys.first, ys.second, area.bottom, area.top);
  draw_ticks(svg, panel, area, x, y);
  svg.clip_begin({area.left, area.top}, area.width(), area.height());
  for (const Curve::Basis basis : {Curve::Basis::bound, Curve::Basis::predicted, Curve::Basis::simulated}) {
    for (const Curve& curve : panel.curves) {
      if (curve.basis != basis) continue;
      const std::string color = color_of(figure, curve.name);
      std::vector<SvgPoint> points;
      for (const auto& [px, py] : curve.points) points.push_back({x.position(px), y.position(py)});
      if (points.size() > 1) svg.polyline(points, stroke_of(curve, color));
      if (basis != Curve::Basis::simulated) continue;
      const std::size_t every = 1 + points.size() / kMostMarks;
      for (std::size_t i = 0; i < points.size(); i += every) {
        draw_mark(svg, points[i], slot_of(figure, curve.name), color);
      }
    }
  }
  svg.clip_end();
  svg.frame({area.left, area.top}, area.width(), area.height(), {});
}

void draw_panel(SvgDocument& svg, const Figure& figure, const Panel& panel, const PlotArea& area) {
  draw_titles(svg, panel, area);
  if (!panel.map) return draw_curves(svg, figure, panel, area);
  draw_map(svg, *panel.map, area, largest_value(figure));
  draw_ticks(svg, panel, area, map_x_scale(*panel.map, panel.x, area), map_y_scale(*panel.map, panel.y, area));
  svg.frame({area.left, area.top}, area.width(), area.height(), {});
}

/// One entry of the legend: how a curve looks, and a word.
struct LegendEntry {
  std::string text;
  Curve like;
  bool marked = true;
  [[nodiscard]] double width() const { return 40 + svg_text_width(text, kMedium) + 22; }
};

std::vector<LegendEntry> legend_of(const Figure& figure) {
  std::set<std::string> used;
  std::set<Curve::Basis> bases;
  for (const Panel& panel : figure.panels) {
    for (const Curve& curve : panel.curves) {
      bases.insert(curve.basis);
      if (curve.basis != Curve::Basis::bound) used.insert(curve.name);
    }
  }
  std::vector<LegendEntry> entries;
  const Curve::Basis main = bases.contains(Curve::Basis::simulated) ? Curve::Basis::simulated : Curve::Basis::predicted;
  for (const std::string& name : figure.names) {
    if (used.contains(name)) entries.push_back({.text = name, .like = {.name = name, .basis = main}});
  }
  if (bases.contains(Curve::Basis::simulated) && bases.contains(Curve::Basis::predicted)) {
    entries.push_back({.text = "simulated", .like = {.name = "", .basis = Curve::Basis::simulated}, .marked = false});
    entries.push_back({.text = "predicted", .like = {.name = "", .basis = Curve::Basis::predicted}, .marked = false});
  }
  if (bases.contains(Curve::Basis::bound)) {
    entries.push_back(
        {.text = figure.bound_title, .like = {.name = "", .basis = Curve::Basis::bound}, .marked = false});
  }
  return entries;
}

/// The entries in lines that are not wider than the figure. What dashes mean has a line of its own where one is not
/// enough for all.
std::vector<std::vector<LegendEntry>> legend_lines(const Figure& figure, double width) {
  std::vector<std::vector<LegendEntry>> lines;
  const std::vector<LegendEntry> entries = legend_of(figure);
  double total = 0;
  for (const LegendEntry& entry : entries) total += entry.width();
  double used = 0;
  bool named = true;
  for (const LegendEntry& entry : entries) {
    const bool meanings_begin = named && !entry.marked && total > width - 40;
    named = entry.marked;
    if (lines.empty() || meanings_begin || used + entry.width() > width - 40) {
      lines.emplace_back();
      used = 0;
    }
    used += entry.width();
    lines.back().push_back(entry);
  }
  return lines;
}

void draw_legend_line(SvgDocument& svg, const Figure& figure, const std::vector<LegendEntry>& line, SvgPoint middle) {
  double total = 0;
  for (const LegendEntry& entry : line) total += entry.width();
  double x = middle.x - total / 2;
  for (const LegendEntry& entry : line) {
    const std::string color = entry.marked ? color_of(figure, entry.like.name) : kMuted;
    svg.line({x, middle.y}, {x + 32, middle.y}, stroke_of(entry.like, color));
    if (entry.marked && entry.like.basis == Curve::Basis::simulated) {
      draw_mark(svg, {x + 16, middle.y}, slot_of(figure, entry.like.name), color);
    }
    svg.text({x + 40, middle.y}, entry.text, {.size = kMedium, .anchor = SvgText::Anchor::start});
    x += entry.width();
  }
}

/// A text in lines that fit into a width.
std::vector<std::string> fitted(const std::string& text, double size, double width) {
  std::vector<std::string> lines;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    const bool fits = !lines.empty() && svg_text_width(lines.back() + " " + word, size) <= width;
    if (fits) {
      lines.back() += " " + word;
    } else if (!word.empty()) {
      lines.push_back(word);
    }
    word.clear();
  }
  return lines;
}

/// How large panels are and where each is: one alone is larger than several.
struct Layout {
  std::size_t columns = 1;
  double plot_width = 330, plot_height = 250;
  double top = 0;  ///< of the first row of panels

  explicit Layout(std::size_t panels) : columns(std::clamp<std::size_t>(panels, 1, kColumns)) {
    if (panels > 1) return;
    plot_width = 560;
    plot_height = 400;
  }
  [[nodiscard]] double panel_width() const { return kLeft + plot_width + kRight; }
  [[nodiscard]] double panel_height() const { return kTop + plot_height + kBottom; }
  [[nodiscard]] double width() const { return 16 + static_cast<double>(columns) * panel_width(); }
  [[nodiscard]] double bottom(std::size_t panels) const {
    const std::size_t rows = (panels + columns - 1) / columns;
    return top + static_cast<double>(rows) * panel_height();
  }
  [[nodiscard]] PlotArea area(std::size_t panel) const {
    const double x = 8 + static_cast<double>(panel % columns) * panel_width() + kLeft;
    const std::size_t row = panel / columns;
    const double y = top + static_cast<double>(row) * panel_height() + kTop;
    return {.left = x, .top = y, .right = x + plot_width, .bottom = y + plot_height};
  }
};

/// What is below the panels: legend, color scale, note. Returns where it ends.
double draw_below(SvgDocument& svg, const Figure& figure, double width, double y) {
  for (const auto& line : legend_lines(figure, width)) {
    draw_legend_line(svg, figure, line, {width / 2, y + kLegendLine / 2});
    y += kLegendLine;
  }
  const auto has_map = [](const Panel& panel) { return panel.map.has_value(); };
  if (std::any_of(figure.panels.begin(), figure.panels.end(), has_map)) {
    const double half = std::min(220.0, width / 2 - 60);
    draw_color_scale(svg, {.left = width / 2 - half, .top = y + 22, .right = width / 2 + half, .bottom = y + 36},
                     figure.map_title, largest_value(figure));
    y += 62;
  }
  y += 8;
  for (const std::string& line : fitted(figure.note, kSmall, width - 100)) {
    svg.text({width / 2, y + kNoteLine / 2}, line, {.size = kSmall, .color = kMuted});
    y += kNoteLine;
  }
  return y;
}

}  // namespace

std::string svg_plot(const Figure& figure, const std::string& maker) {
  SvgDocument svg;
  Layout layout(figure.panels.size());
  const double width = layout.width();
  layout.top = 14;
  for (const std::string& line : fitted(figure.title, kLarge, width - 60)) {
    svg.text({width / 2, layout.top + kTitleLine / 2}, line, {.size = kLarge, .bold = true});
    layout.top += kTitleLine;
  }
  layout.top += 8;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) draw_panel(svg, figure, figure.panels[i], layout.area(i));
  const double end = draw_below(svg, figure, width, layout.bottom(figure.panels.size()) + 8);
  return svg.finish(width, end + 14, figure.title, maker);
}

}  // namespace muster
