#include "app/seismic/picture/value_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace muster::seismic {
namespace {

constexpr std::size_t kMostValues = 1'000'000;
constexpr double kMostSize = 1e300;
constexpr double kLeastSize = 1e-300;
constexpr double kQuiet = 1e-3;  ///< of the largest size: where a wave has not come yet, or has gone

double percentile(std::vector<double>& values, double percent) {
  const auto index = static_cast<std::size_t>(std::lround(percent / 100 * static_cast<double>(values.size() - 1)));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(index));
  return values[index];
}

/// At least so wide that ticks differ, and within numbers that can be subtracted.
ValueRange widened(ValueRange range) {
  range.low = std::max(range.low, -kMostSize);
  range.high = std::min(range.high, kMostSize);
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > std::max(1e-9 * size, kLeastSize)) return range;
  const double margin = size > kLeastSize ? 0.05 * size : 1;
  range.low -= margin;
  range.high += margin;
  return range;
}

template <class Real>
ValueRange range_of_some(std::span<const Real> values, double clip) {
  if (values.empty()) return {};
  std::vector<double> some;
  // An odd stride, so that not every time the same cells of a row are met.
  const std::size_t stride = values.size() / kMostValues * 2 + 1;
  for (std::size_t i = 0; i < values.size(); i += stride) some.push_back(static_cast<double>(values[i]));
  const auto [least, largest] = std::ranges::minmax(values);
  if (least < 0 && largest > 0) {
    const double size = std::max(-static_cast<double>(least), static_cast<double>(largest));
    for (double& value : some) value = std::abs(value);
    // A wave that fills little of the picture is still one.
    std::erase_if(some, [&](double value) { return value < kQuiet * size; });
    const double limit = some.empty() ? size : percentile(some, clip);
    return widened({.low = -limit, .high = limit, .scale = ColourScale::diverging});
  }
  ValueRange range{.low = percentile(some, 100 - clip), .high = percentile(some, clip)};
  if (range.low == range.high) {
    range.low = static_cast<double>(least);
    range.high = static_cast<double>(largest);
  }
  return widened(range);
}

}  // namespace

ValueRange range_of(std::span<const double> values, double clip) { return range_of_some(values, clip); }
ValueRange range_of(std::span<const float> values, double clip) { return range_of_some(values, clip); }

}  // namespace muster::seismic
