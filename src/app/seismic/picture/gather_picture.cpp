#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/seismic/picture/panel.h"
#include "app/seismic/picture/picture.h"

namespace muster::seismic {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 520;
constexpr double kNoBarSpace = 24;
constexpr double kUnitsPerWiggle = 6;  // more traces than fit are left out
constexpr double kWiggleReach = 1.6;   // of the clipped value, in distances of wiggles

/// Where the traces are along the picture.
struct TraceAxis {
  double first = 1;
  double step = 1;
  std::string label = "trace";

  [[nodiscard]] double at(double trace) const { return first + trace * step; }
};

/// Receivers on an even line along one axis, if they are.
std::optional<TraceAxis> line_along(const Gather& gather, Axis axis) {
  const auto& receivers = gather.receivers;
  if (receivers.size() < 2) return std::nullopt;
  const double first = receivers.front()[axis];
  const double step = (receivers.back()[axis] - first) / static_cast<double>(receivers.size() - 1);
  if (step == 0) return std::nullopt;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const double expected = first + static_cast<double>(i) * step;
    if (std::abs(receivers[i][axis] - expected) > 0.01 * std::abs(step)) return std::nullopt;
    for (const Axis other : kAxes) {
      if (other != axis && receivers[i][other] != receivers.front()[other]) return std::nullopt;
    }
  }
  constexpr std::array kNames{"x", "y", "depth z"};
  return TraceAxis{.first = first, .step = step, .label = fmt::format("receiver {} (m)", kNames[index_of(axis)])};
}

TraceAxis trace_axis(const Gather& gather) {
  for (const Axis axis : kAxes) {
    if (const std::optional<TraceAxis> line = line_along(gather, axis)) return *line;
  }
  return {};
}

/// Half a sample more at each end.
PictureAxis time_axis(const Gather& gather) {
  const auto samples = static_cast<double>(gather.samples);
  PictureAxis times{.first = gather.start - gather.interval / 2,
                    .last = gather.start + (samples - 0.5) * gather.interval,
                    .label = "time (s)"};
  if (gather.interval > 0 && times.can_be_drawn()) return times;
  return {.first = 0.5, .last = samples + 0.5, .label = "sample"};
}

/// Half a trace more at each end.
PictureAxis across_of(const Gather& gather) {
  const auto along = [&](const TraceAxis& traces) {
    return PictureAxis{.first = traces.at(-0.5),
                       .last = traces.at(static_cast<double>(gather.receivers.size()) - 0.5),
                       .label = traces.label};
  };
  const PictureAxis positions = along(trace_axis(gather));
  return positions.can_be_drawn() ? positions : along({});
}

void draw_density(Canvas& canvas, const Gather& gather, const Panel& panel, const ValueRange& range) {
  const auto index = [](double fraction, std::size_t count) {
    return std::min(static_cast<std::size_t>(fraction * static_cast<double>(count)), count - 1);
  };
  canvas.raster(panel.frame, [&](double x, double y) {
    const std::size_t trace = index(x, gather.receivers.size());
    return range.colour(gather.trace(trace)[index(y, static_cast<std::size_t>(gather.samples))]);
  });
}

/// How a trace becomes a curve.
struct Wiggle {
  double limit = 1;  ///< values beyond are cut
  double reach = 1;  ///< of that value
};

/// The curve of one trace around its baseline, with its positive side filled.
void draw_wiggle(Canvas& canvas, std::span<const double> trace, const Frame& frame, double baseline, Wiggle wiggle) {
  std::vector<Point> curve;
  std::vector<Point> filled{{baseline, frame.top}};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const double y = frame.top + (static_cast<double>(i) + 0.5) / static_cast<double>(trace.size()) * frame.height;
    const Point at{baseline + std::clamp(trace[i] / wiggle.limit, -1.0, 1.0) * wiggle.reach, y};
    curve.push_back(at);
    filled.push_back({std::max(at.x, baseline), y});
  }
  filled.push_back({baseline, frame.bottom()});
  canvas.fill(filled, kInk);
  canvas.line(curve, 0.5, kInk);
}

/// Returns how many traces lie between two that are drawn.
std::size_t draw_wiggles(Canvas& canvas, const Gather& gather, const Panel& panel, const ValueRange& range) {
  const std::size_t count = gather.receivers.size();
  const auto most = static_cast<std::size_t>(kWidth / kUnitsPerWiggle);
  const std::size_t every = (count + most - 1) / most;
  const double distance = panel.frame.width / static_cast<double>(count) * static_cast<double>(every);
  const double limit = std::max(std::abs(range.low), std::abs(range.high));
  const Wiggle wiggle{.limit = limit, .reach = std::min(distance, 40.0) * kWiggleReach};
  canvas.clipped(panel.frame, [&] {
    for (std::size_t i = every / 2; i < count; i += every) {
      const double fraction = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
      draw_wiggle(canvas, gather.trace(i), panel.frame, panel.frame.left + fraction * panel.frame.width, wiggle);
    }
  });
  return every;
}

std::string described(const Gather& gather) {
  return fmt::format("{}shot {} at x {:.6g} m, y {:.6g} m, depth {:.6g} m; {} traces of {} samples",
                     gather.field.empty() ? "" : gather.field + ": ", gather.shot, gather.source.x, gather.source.y,
                     gather.source.z, gather.receivers.size(), gather.samples);
}

}  // namespace

std::string draw(const Gather& gather, const PictureOptions& options) {
  const ValueRange range = range_of(gather.values, options.clip);
  const Panel panel{.frame = {.left = kSpaceLeft, .top = kTitleSpace + 6, .width = kWidth, .height = kHeight},
                    .across = across_of(gather),
                    .down = time_axis(gather)};
  const bool is_density = options.style == GatherStyle::density;
  Canvas canvas(options.format, panel.frame.right() + (is_density ? kBarSpace : kNoBarSpace),
                panel.frame.bottom() + kSpaceBelow);
  std::string subtitle = described(gather);
  if (is_density) {
    draw_density(canvas, gather, panel, range);
    draw_colour_bar(canvas, panel.frame, range, gather.field);
  } else if (const std::size_t every = draw_wiggles(canvas, gather, panel, range); every > 1) {
    subtitle += fmt::format(", one in {} drawn", every);
  }
  draw_axes(canvas, panel);
  draw_title(canvas, options.title, subtitle);
  return canvas.finish();
}

}  // namespace muster::seismic
