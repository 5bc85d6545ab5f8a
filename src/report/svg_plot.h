// Figures as SVG: panels side by side, one legend or color scale for all of them.
#pragma once

#include <string>

#include "report/svg_document.h"
#include "report/svg_scale.h"
#include "result/figure.h"

namespace muster {

/// The figure as an SVG document; `maker` is the command that asked.
std::string svg_plot(const Figure& figure, const std::string& maker);

/// Where a panel's picture is.
struct PlotArea {
  double left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return bottom - top; }
};

/// The largest value of all maps of a figure: its color scale ends there.
double largest_value(const Figure& figure);

/// Draws the cells of a map, the borders between its regions and their names. The caller draws the axes.
void draw_map(SvgDocument& svg, const HeatMap& map, const PlotArea& area, double most);
/// The color scale from 1 to `most`, with a title above it; as wide as the area.
void draw_color_scale(SvgDocument& svg, const PlotArea& area, const std::string& title, double most);

/// The scales of a map's axes: a cell reaches half-way to its neighbours, on a logarithmic scale.
SvgScale map_x_scale(const HeatMap& map, const PlotAxis& axis, const PlotArea& area);
SvgScale map_y_scale(const HeatMap& map, const PlotAxis& axis, const PlotArea& area);

}  // namespace muster
