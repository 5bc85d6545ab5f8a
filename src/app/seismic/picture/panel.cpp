#include "app/seismic/picture/panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "app/seismic/picture/ticks.h"

namespace muster::seismic {
namespace {

constexpr double kTick = 4;
constexpr double kUnitsPerTickAcross = 55;
constexpr double kUnitsPerTickDown = 32;
constexpr double kLineWidth = 0.8;
constexpr double kMargin = 16;

int most_ticks(double length, double units_per_tick) {
  return std::clamp(static_cast<int>(length / units_per_tick), 2, 12);
}

void draw_ticks_across(Canvas& canvas, const Panel& panel) {
  const Frame& frame = panel.frame;
  const Ticks ticks = round_ticks(panel.across.first, panel.across.last, most_ticks(frame.width, kUnitsPerTickAcross));
  for (const double value : ticks.values) {
    const double x = frame.left + panel.across.fraction(value) * frame.width;
    canvas.line(std::array{Point{x, frame.bottom()}, Point{x, frame.bottom() + kTick}}, kLineWidth, kInk);
    canvas.text({x, frame.bottom() + kTick + 2}, ticks.text(value), {.side = TextSide::below});
  }
  canvas.text({frame.left + frame.width / 2, frame.bottom() + 22}, panel.across.label, {.side = TextSide::below});
}

/// Returns how much room the numbers take.
double draw_ticks_down(Canvas& canvas, const Panel& panel) {
  const Frame& frame = panel.frame;
  const Ticks ticks = round_ticks(panel.down.first, panel.down.last, most_ticks(frame.height, kUnitsPerTickDown));
  double widest = 0;
  for (const double value : ticks.values) {
    const double y = frame.top + panel.down.fraction(value) * frame.height;
    canvas.line(std::array{Point{frame.left - kTick, y}, Point{frame.left, y}}, kLineWidth, kInk);
    const TextStyle style{.side = TextSide::left};
    canvas.text({frame.left - kTick - 3, y}, ticks.text(value), style);
    widest = std::max(widest, canvas.text_width(ticks.text(value), style));
  }
  return widest;
}

/// Of a field or a parameter of the medium, by its name; empty: it has none that is known.
std::string_view unit_of(std::string_view quantity) {
  constexpr std::array<std::string_view, 5> kVelocities{"vp", "vs", "vx", "vy", "vz"};
  constexpr std::array<std::string_view, 7> kStresses{"p", "sxx", "syy", "szz", "syz", "sxz", "sxy"};
  if (std::ranges::count(kVelocities, quantity) > 0) return "m/s";
  if (std::ranges::count(kStresses, quantity) > 0) return "Pa";
  if (quantity == "density") return "kg/m3";
  return quantity == "theta" || quantity == "phi" ? "rad" : "";
}

/// "vx in 1e-9 m/s", "delta x 1e-2", "vp in m/s".
std::string label_of(const std::string& quantity, int exponent) {
  const std::string_view unit = unit_of(quantity);
  std::string label = quantity.empty() ? "value" : quantity;
  if (!unit.empty()) label += " in";
  if (exponent != 0) label += fmt::format("{} 1e{}", unit.empty() ? " x" : "", exponent);
  return unit.empty() ? label : fmt::format("{} {}", label, unit);
}

}  // namespace

bool PictureAxis::can_be_drawn() const {
  const double largest = std::max(std::abs(first), std::abs(last));
  return largest > 1e-12 && largest < 1e12 && length() > 1e-9 * largest;
}

void draw_axes(Canvas& canvas, const Panel& panel) {
  const Frame& frame = panel.frame;
  canvas.outline(frame, kLineWidth);
  draw_ticks_across(canvas, panel);
  const double widest = draw_ticks_down(canvas, panel);
  canvas.text({frame.left - kTick - widest - 8, frame.top + frame.height / 2}, panel.down.label,
              {.side = TextSide::above, .is_upright = true});
  canvas.text({frame.left + frame.width / 2, frame.top - 4}, panel.title, {.side = TextSide::above});
}

void draw_colour_bar(Canvas& canvas, const Frame& beside, const ValueRange& range, const std::string& quantity) {
  const Frame bar{.left = beside.right() + kMargin, .top = beside.top, .width = 14, .height = beside.height};
  canvas.raster(bar, [&](double /*x*/, double y) { return colour_at(range.scale, 1 - y); });
  canvas.outline(bar, kLineWidth);
  const int exponent = common_exponent(std::max(std::abs(range.low), std::abs(range.high)));
  const double unit = std::pow(10, exponent);
  const PictureAxis axis{.first = range.high / unit, .last = range.low / unit};
  const Ticks ticks = round_ticks(axis.first, axis.last, most_ticks(bar.height, kUnitsPerTickDown));
  for (const double value : ticks.values) {
    const double y = bar.top + axis.fraction(value) * bar.height;
    canvas.line(std::array{Point{bar.right(), y}, Point{bar.right() + kTick, y}}, kLineWidth, kInk);
    canvas.text({bar.right() + kTick + 3, y}, ticks.text(value), {.side = TextSide::right});
  }
  canvas.text({bar.left, bar.top - 7}, label_of(quantity, exponent), {.side = TextSide::from});
}

void draw_title(Canvas& canvas, const std::string& title, const std::string& subtitle) {
  canvas.text({kMargin, 23}, title, {.size = 14, .side = TextSide::from, .is_bold = true});
  canvas.text({kMargin, 40}, subtitle, {.side = TextSide::from});
}

}  // namespace muster::seismic
