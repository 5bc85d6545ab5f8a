// Maps: a cell per point, colored by the logarithm of its value; borders where the region changes; a region's name where
// there is most space for it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/svg_plot.h"

namespace muster {
namespace {

constexpr double kSmallest = 7.5;  // a text below this size cannot be read

struct Rgb {
  double red = 0, green = 0, blue = 0;
};

/// From light to dark, so that it survives a print without colors.
const std::array<Rgb, 5> kRamp{{{255, 253, 231}, {254, 217, 142}, {254, 153, 41}, {204, 76, 2}, {110, 28, 5}}};

Rgb color_at(double value, double most) {
  const double share = most > 1 ? std::clamp(std::log(value) / std::log(most), 0.0, 1.0) : 0;
  const double position = share * static_cast<double>(kRamp.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), kRamp.size() - 2);
  const double rest = position - static_cast<double>(below);
  const auto mix = [rest](double a, double b) { return a + rest * (b - a); };
  const Rgb &a = kRamp[below], &b = kRamp[below + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

std::string hex(const Rgb& color) {
  return fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(color.red), static_cast<int>(color.green),
                     static_cast<int>(color.blue));
}

bool is_dark(const Rgb& color) { return 0.3 * color.red + 0.59 * color.green + 0.11 * color.blue < 120; }

/// Where cells begin and end: half-way between neighbours, by ratio.
std::vector<double> edges_of(const std::vector<double>& values) {
  std::vector<double> edges;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) edges.push_back(std::sqrt(values[i] * values[i + 1]));
  if (edges.empty()) return {values.front() / 2, values.front() * 2};
  edges.insert(edges.begin(), values.front() * values.front() / edges.front());
  edges.push_back(values.back() * values.back() / edges.back());
  return edges;
}

/// Maps are always logarithmic: the cells' edges are.
SvgScale scale_of(const PlotAxis& axis, const std::vector<double>& values, double from, double to) {
  const std::vector<double> edges = edges_of(values);
  return {axis, edges.front(), edges.back(), from, to};
}

/// The positions of the edges on paper, and which cell is where.
class Cells {
 public:
  Cells(const HeatMap& map, const PlotArea& area) : map_(map) {
    const PlotAxis logarithmic{.title = "", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::number};
    const SvgScale x = scale_of(logarithmic, map.xs, area.left, area.right);
    const SvgScale y = scale_of(logarithmic, map.ys, area.bottom, area.top);
    for (const double edge : edges_of(map.xs)) xs_.push_back(x.position(edge));
    for (const double edge : edges_of(map.ys)) ys_.push_back(y.position(edge));
  }
  [[nodiscard]] std::size_t columns() const { return map_.xs.size(); }
  [[nodiscard]] std::size_t rows() const { return map_.ys.size(); }
  [[nodiscard]] double value(std::size_t x, std::size_t y) const { return map_.values[y * columns() + x]; }
  [[nodiscard]] std::size_t region(std::size_t x, std::size_t y) const { return map_.region_of[y * columns() + x]; }
  [[nodiscard]] double left(std::size_t x) const { return xs_[x]; }
  [[nodiscard]] double right(std::size_t x) const { return xs_[x + 1]; }
  [[nodiscard]] double top(std::size_t y) const { return ys_[y + 1]; }
  [[nodiscard]] double bottom(std::size_t y) const { return ys_[y]; }
  [[nodiscard]] SvgPoint middle(std::size_t x, std::size_t y) const {
    return {(left(x) + right(x)) / 2, (top(y) + bottom(y)) / 2};
  }

 private:
  const HeatMap& map_;
  std::vector<double> xs_, ys_;
};

void draw_cells(SvgDocument& svg, const Cells& cells, double most, bool with_values) {
  for (std::size_t y = 0; y < cells.rows(); ++y) {
    for (std::size_t x = 0; x < cells.columns(); ++x) {
      const Rgb color = color_at(cells.value(x, y), most);
      const double width = cells.right(x) - cells.left(x), height = cells.bottom(y) - cells.top(y);
      svg.rectangle({cells.left(x), cells.top(y)}, width + 0.3, height + 0.3, hex(color));  // no seam between cells
      if (!with_values) continue;
      const std::string text = fmt::format("{:.{}f}", cells.value(x, y), cells.value(x, y) < 9.95 ? 1 : 0);
      const double size = std::min({width / svg_text_width(text, 1) * 0.86, height * 0.6, 10.5});
      if (size < kSmallest) continue;
      svg.text(cells.middle(x, y), text, {.size = size, .color = is_dark(color) ? "#ffffff" : "#222222"});
    }
  }
}

void draw_borders(SvgDocument& svg, const Cells& cells) {
  const SvgStroke border{.color = "#222222", .width = 1.6};
  for (std::size_t y = 0; y < cells.rows(); ++y) {
    for (std::size_t x = 0; x < cells.columns(); ++x) {
      if (x + 1 < cells.columns() && cells.region(x, y) != cells.region(x + 1, y)) {
        svg.line({cells.right(x), cells.top(y) - 0.8}, {cells.right(x), cells.bottom(y) + 0.8}, border);
      }
      if (y + 1 < cells.rows() && cells.region(x, y) != cells.region(x, y + 1)) {
        svg.line({cells.left(x) - 0.8, cells.top(y)}, {cells.right(x) + 0.8, cells.top(y)}, border);
      }
    }
  }
}

/// The most space for a name in a region: a position, and how many times the name would fit there.
struct Spot {
  SvgPoint at;
  double fit = 0;
};

/// The run of cells of one region in a row, and how far it goes up and down there without becoming narrower.
Spot spot_in_row(const Cells& cells, std::size_t from, std::size_t to, std::size_t row, double width, double height) {
  const std::size_t region = cells.region(from, row);
  const auto same = [&](std::size_t y) {
    for (std::size_t x = from; x <= to; ++x) {
      if (cells.region(x, y) != region) return false;
    }
    return true;
  };
  std::size_t low = row, high = row;
  while (low > 0 && same(low - 1)) --low;
  while (high + 1 < cells.rows() && same(high + 1)) ++high;
  const double room_x = cells.right(to) - cells.left(from);
  const double room_y = cells.bottom(low) - cells.top(high);
  return {.at = {(cells.left(from) + cells.right(to)) / 2, (cells.bottom(low) + cells.top(high)) / 2},
          .fit = std::min(room_x / width, room_y / height)};
}

Spot best_spot(const Cells& cells, std::size_t region, double width, double height) {
  Spot best;
  for (std::size_t row = 0; row < cells.rows(); ++row) {
    for (std::size_t from = 0; from < cells.columns(); ++from) {
      for (std::size_t to = from; to < cells.columns() && cells.region(to, row) == region; ++to) {
        const Spot spot = spot_in_row(cells, from, to, row, width, height);
        if (spot.fit > best.fit) best = spot;
      }
    }
  }
  return best;
}

/// A name is in its region, smaller where the region is small; it may reach over the border a little.
void draw_names(SvgDocument& svg, const HeatMap& map, const Cells& cells) {
  constexpr double kSize = 14;
  for (std::size_t region = 0; region < map.regions.size(); ++region) {
    const std::string& name = map.regions[region];
    const Spot spot = best_spot(cells, region, svg_text_width(name, kSize) + 8, kSize + 6);
    if (spot.fit <= 0) continue;
    const double size = std::clamp(kSize * spot.fit, 10.0, kSize);
    svg.text(spot.at, name, {.size = size, .bold = true, .halo = true});
  }
}

}  // namespace

double largest_value(const Figure& figure) {
  double most = 1;
  for (const Panel& panel : figure.panels) {
    if (!panel.map || panel.map->values.empty()) continue;
    most = std::max(most, *std::max_element(panel.map->values.begin(), panel.map->values.end()));
  }
  constexpr double kEnough = 8;  // larger ratios share the last color
  return std::min(most, kEnough);
}

void draw_map(SvgDocument& svg, const HeatMap& map, const PlotArea& area, double most) {
  const Cells cells(map, area);
  draw_cells(svg, cells, most, map.region_of.empty());
  if (map.region_of.empty()) return;
  draw_borders(svg, cells);
  draw_names(svg, map, cells);
}

void draw_color_scale(SvgDocument& svg, const PlotArea& area, const std::string& title, double most) {
  constexpr int kSteps = 64;
  const PlotAxis axis{.title = "", .scale = PlotAxis::Scale::binary, .unit = PlotAxis::Unit::number};
  const SvgScale scale(axis, 1, std::max(most, 1.001), area.left, area.right);
  svg.text({(area.left + area.right) / 2, area.top - 12}, title, {.size = 13});
  for (int i = 0; i < kSteps; ++i) {
    const double value = std::pow(most, (i + 0.5) / kSteps);
    const double width = area.width() / kSteps;
    svg.rectangle({area.left + i * width, area.top}, width + 0.3, area.height(), hex(color_at(value, most)));
  }
  svg.frame({area.left, area.top}, area.width(), area.height(), {});
  for (const double value : {1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (value > most + 1e-9 || (value == 1.2 && most > 3)) continue;
    svg.line({scale.position(value), area.bottom}, {scale.position(value), area.bottom + 4}, {});
    const bool open = value >= 8;
    svg.text({scale.position(value), area.bottom + 13}, fmt::format("{:g}{}", value, open ? " or more" : ""),
             {.size = 11.5});
  }
}

SvgScale map_x_scale(const HeatMap& map, const PlotAxis& axis, const PlotArea& area) {
  return scale_of(axis, map.xs, area.left, area.right);
}

SvgScale map_y_scale(const HeatMap& map, const PlotAxis& axis, const PlotArea& area) {
  return scale_of(axis, map.ys, area.bottom, area.top);
}

}  // namespace muster
