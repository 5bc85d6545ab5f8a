// Which unit fits, and the text in it.
#include "base/time_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace muster {
namespace {

struct Unit {
  const char* name;
  double per_second;
  double least;  ///< the shortest time that is shown in it
};

constexpr double kHalfDigit = 0.9999999;  // a time that rounds to the least of a unit is shown in that unit
// The smallest unit first.
constexpr Unit kUnits[] = {{"ns", 1e9, 0}, {"us", 1e6, 1e-7}, {"ms", 1e3, 1e-2}, {"s", 1, 10}};
constexpr std::size_t kMicroseconds = 1;

std::size_t unit_of(double seconds) {
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && seconds >= kHalfDigit * kUnits[unit + 1].least) ++unit;
  return unit;
}

}  // namespace

TimeUnit TimeUnit::fitting(const std::optional<Seconds>& time) { return of_column({time}); }

TimeUnit TimeUnit::of_column(const std::vector<std::optional<Seconds>>& times) {
  constexpr double kThreeDigits = 0.1;
  std::vector<double> sizes;
  for (const std::optional<Seconds>& time : times) {
    const double size = time ? std::abs(time->value()) : 0;
    if (size > 0 && std::isfinite(size)) sizes.push_back(size);
  }
  std::size_t unit = kMicroseconds;
  if (!sizes.empty()) {
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    unit = unit_of(*most);
    while (unit > kMicroseconds && *least * kUnits[unit].per_second < kHalfDigit * kThreeDigits) --unit;
  }
  return {kUnits[unit].name, kUnits[unit].per_second};
}

std::string TimeUnit::text(const std::optional<Seconds>& time) const {
  return time ? fmt::format("{:.3f}", time->value() * per_second_) : "-";
}

std::string TimeUnit::sentence_text(Seconds time) const {
  constexpr double kTwoDigits = 0.01;
  if (std::abs(time.value()) * per_second_ < kTwoDigits) return time_text(time);
  return fmt::format("{} {}", text(time), name_);
}

std::string time_text(Seconds time) {
  const TimeUnit unit = TimeUnit::fitting(time);
  return fmt::format("{} {}", unit.text(time), unit.name());
}

}  // namespace muster
