// Logarithmic axes have a tick at every power and, where there are few powers, at 2 and 5 times them; labels that would
// touch the previous one, or the last one, are left out.
#include "report/svg_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/counted.h"
#include "report/phrases.h"
#include "report/svg_document.h"

namespace muster {

SvgScale::SvgScale(const PlotAxis& axis, double least, double most, double from, double to)
    : axis_(axis), least_(least), most_(most), from_(from), to_(to) {
  if (most_ > least_) return;
  const bool linear = axis_.scale == PlotAxis::Scale::linear;
  least_ = linear ? least_ - 1 : least_ / 2;  // a single value is in the middle
  most_ = linear ? most_ + 1 : most_ * 2;
}

double SvgScale::scaled(double value) const {
  return axis_.scale == PlotAxis::Scale::linear ? value : std::log2(value);
}

double SvgScale::position(double value) const {
  const double share = (scaled(value) - scaled(least_)) / (scaled(most_) - scaled(least_));
  return from_ + share * (to_ - from_);
}

std::vector<double> SvgScale::marks() const {
  std::vector<double> all;
  if (axis_.scale == PlotAxis::Scale::linear) {
    const double rough = (most_ - least_) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
    for (double k = std::ceil(least_ / step - 1e-9); k * step <= most_ + 1e-9 * step; ++k) all.push_back(k * step);
    return all;
  }
  const double base = axis_.scale == PlotAxis::Scale::binary ? 2 : 10;
  const double decades = std::log10(most_ / least_);
  std::vector<double> within{1};
  if (base > 2 && decades < 2.5) within = {1, 2, 5};
  if (base > 2 && decades < 1) within = {1, 1.5, 2, 3, 4, 5, 6, 8};
  constexpr double kSlack = 1e-9;
  for (double e = std::floor(std::log(least_) / std::log(base)); std::pow(base, e) <= most_ * (1 + kSlack); ++e) {
    for (const double factor : within) {
      const double value = factor * std::pow(base, e);
      if (value >= least_ * (1 - kSlack) && value <= most_ * (1 + kSlack)) all.push_back(value);
    }
  }
  return all;
}

std::vector<SvgScale::Tick> SvgScale::ticks(double size, Along along) const {
  const double gap = along == Along::width ? 9 : 4.5;
  const auto half_of = [&](const Tick& tick) {
    return (along == Along::width ? svg_text_width(tick.label, size) : size) / 2;
  };
  const auto distance = [&](const Tick& tick) { return std::abs(tick.position - from_); };
  std::vector<Tick> ticks;
  for (const double value : marks()) ticks.push_back({position(value), tick_text(value, axis_.unit)});
  if (ticks.size() < 2) return ticks;
  const double last_begins = distance(ticks.back()) - half_of(ticks.back()) - gap;
  const bool last_fits = distance(ticks.front()) + half_of(ticks.front()) <= last_begins;
  double free_from = -1e9;  // as a distance from the axis' beginning
  for (Tick& tick : ticks) {
    const bool first_or_last = &tick == &ticks.front() || (&tick == &ticks.back() && last_fits);
    const double half = half_of(tick);
    const bool touches_last = last_fits && distance(tick) + half > last_begins;
    if (!first_or_last && (distance(tick) - half < free_from || touches_last)) {
      tick.label.clear();
    } else {
      free_from = distance(tick) + half + gap;
    }
  }
  return ticks;
}

std::string tick_text(double value, PlotAxis::Unit unit) {
  const double rounded = std::round(value);
  const bool whole = std::abs(value - rounded) < 1e-9 * std::max(1.0, std::abs(value));
  if (!whole) return fmt::format("{:.3g}", value);
  const auto number = static_cast<std::int64_t>(rounded);
  if (unit == PlotAxis::Unit::number) return grouped(number);
  for (const auto& [name, size] :
       {std::pair{"GiB", std::int64_t{1} << 30}, {"MiB", std::int64_t{1} << 20}, {"KiB", std::int64_t{1} << 10}}) {
    if (number >= size && number % size == 0) return fmt::format("{} {}", grouped(number / size), name);
  }
  return fmt::format("{} B", grouped(number));
}

}  // namespace muster
