#include "app/seismic/picture/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace muster::seismic {
namespace {

// Ends of an axis that rounding has moved still get their tick.
constexpr double kSlack = 1e-9;

}  // namespace

Ticks round_ticks(double low, double high, int most) {
  if (low > high) std::swap(low, high);
  Ticks ticks;
  if (!(high > low)) {
    ticks.values = {low};
    return ticks;
  }
  const auto first = [&](double step) { return std::ceil(low / step - kSlack); };
  const auto last = [&](double step) { return std::floor(high / step + kSlack); };
  const double decade = std::pow(10, std::floor(std::log10((high - low) / most)));
  ticks.step = 100 * decade;
  for (const double factor : {1, 2, 5, 10, 20, 50}) {
    if (last(factor * decade) - first(factor * decade) + 1 <= most) {
      ticks.step = factor * decade;
      break;
    }
  }
  // Counted, since adding 1 changes nothing where an axis is short and far from 0.
  const double count = last(ticks.step) - first(ticks.step) + 1;
  for (int i = 0; i < most && i < count; ++i) ticks.values.push_back((first(ticks.step) + i) * ticks.step);
  return ticks;
}

std::string Ticks::text(double value) const {
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + kSlack)), 0, 12);
  return fmt::format("{:.{}f}", value == 0 ? 0.0 : value, decimals);
}

int common_exponent(double largest) {
  if (largest <= 0 || (largest >= 1e-3 && largest < 1e5)) return 0;
  return static_cast<int>(std::floor(std::log10(largest)));
}

}  // namespace muster::seismic
