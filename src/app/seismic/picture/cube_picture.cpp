#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/seismic/picture/panel.h"
#include "app/seismic/picture/picture.h"

namespace muster::seismic {
namespace {

constexpr double kWidth = 960;   // of all panels together
constexpr double kHeight = 420;  // of the highest one
constexpr double kLeast = 110;   // of any side of a panel

constexpr std::array kAxisNames{'x', 'y', 'z'};

char name_of(Axis axis) { return kAxisNames[index_of(axis)]; }

/// Which axes a slice shows.
Axis across_of(const Slice& slice) { return slice.axis == Axis::x ? Axis::y : Axis::x; }
Axis down_of(const Slice& slice) { return slice.axis == Axis::z ? Axis::y : Axis::z; }

/// From half a cell before the first node to half a cell behind the last one.
PictureAxis axis_of(const Cube& cube, Axis axis, double step, std::string_view unit) {
  return {
      .first = -step / 2,
      .last = (static_cast<double>(cube.extent[axis]) - 0.5) * step,
      .label = fmt::format("{} ({})", axis == Axis::z ? std::string("depth z") : std::string(1, name_of(axis)), unit)};
}

bool has_lengths(const Cube& cube) {
  return std::ranges::all_of(kAxes, [&](Axis axis) {
    return cube.spacing[axis] > 0 && axis_of(cube, axis, cube.spacing[axis], "m").can_be_drawn();
  });
}

/// In metres, or else in cells.
PictureAxis axis_of(const Cube& cube, Axis axis) {
  return has_lengths(cube) ? axis_of(cube, axis, cube.spacing[axis], "m") : axis_of(cube, axis, 1, "cells");
}

Panel panel_of(const Cube& cube, const Slice& slice) {
  Panel panel{.across = axis_of(cube, across_of(slice)), .down = axis_of(cube, down_of(slice))};
  if (slice.axis == Axis::z) std::swap(panel.down.first, panel.down.last);
  panel.title = has_lengths(cube) ? fmt::format("{} = {:.6g} m", name_of(slice.axis),
                                                static_cast<double>(slice.cell) * cube.spacing[slice.axis])
                                  : fmt::format("{} = cell {}", name_of(slice.axis), slice.cell);
  return panel;
}

/// Beside each other, in one scale of lengths unless that would make one too thin.
void arrange(std::vector<Panel>& panels) {
  double width = 0;
  double height = 0;
  for (const Panel& panel : panels) {
    width += panel.across.length();
    height = std::max(height, panel.down.length());
  }
  const double scale = std::min(kWidth / width, kHeight / height);
  double left = 0;
  for (Panel& panel : panels) {
    left += kSpaceLeft;
    panel.frame = {.left = left,
                   .top = kTitleSpace + kSpaceAbove,
                   .width = std::clamp(panel.across.length() * scale, kLeast, kWidth),
                   .height = std::clamp(panel.down.length() * scale, kLeast, kHeight)};
    left = panel.frame.right();
  }
}

void draw_slice(Canvas& canvas, const Cube& cube, const Slice& slice, const Panel& panel, const ValueRange& range) {
  const auto cell = [&](Axis axis, const PictureAxis& shown, double fraction) {
    const double from_low = shown.last > shown.first ? fraction : 1 - fraction;
    const auto cells = static_cast<double>(cube.extent[axis]);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(from_low * cells), 0, cube.extent[axis] - 1);
  };
  canvas.raster(panel.frame, [&](double x, double y) {
    Extent at;
    at[slice.axis] = slice.cell;
    at[across_of(slice)] = cell(across_of(slice), panel.across, x);
    at[down_of(slice)] = cell(down_of(slice), panel.down, y);
    return range.colour(static_cast<double>(cube.at(at.x, at.y, at.z)));
  });
  draw_axes(canvas, panel);
}

std::vector<Slice> through_the_middle(const Cube& cube) {
  return {{Axis::y, cube.extent.y / 2}, {Axis::x, cube.extent.x / 2}, {Axis::z, cube.extent.z / 2}};
}

}  // namespace

std::string draw(const Cube& cube, const PictureOptions& options) {
  const std::vector<Slice> slices = options.slices.empty() ? through_the_middle(cube) : options.slices;
  std::vector<Panel> panels;
  for (const Slice& slice : slices) panels.push_back(panel_of(cube, slice));
  arrange(panels);
  Frame bar = panels.back().frame;
  for (const Panel& panel : panels) bar.height = std::max(bar.height, panel.frame.height);
  const ValueRange range = range_of(cube.values, options.clip);
  Canvas canvas(options.format, bar.right() + kBarSpace, bar.bottom() + kSpaceBelow);
  const auto [least, largest] = std::ranges::minmax(cube.values);
  draw_title(
      canvas, options.title,
      fmt::format("{}{} x {} x {} cells, values from {:.4g} to {:.4g}", cube.name.empty() ? "" : cube.name + ": ",
                  cube.extent.x, cube.extent.y, cube.extent.z, least, largest));
  for (std::size_t i = 0; i < slices.size(); ++i) draw_slice(canvas, cube, slices[i], panels[i], range);
  draw_colour_bar(canvas, bar, range, cube.name);
  return canvas.finish();
}

}  // namespace muster::seismic
