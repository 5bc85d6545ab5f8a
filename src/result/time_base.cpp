// Ticks to seconds, and back for machines without a clock.
#include "result/time_base.h"

#include <algorithm>
#include <cmath>

namespace muster {

Seconds to_seconds(Ticks ticks, TimeBase base) {
  return Seconds(static_cast<double>(ticks.value()) / base.ticks_per_second);
}

double to_microseconds(Ticks ticks, TimeBase base) {
  return static_cast<double>(ticks.value()) / (base.ticks_per_second / 1e6);
}

Ticks nearest_ticks(Seconds seconds, TimeBase base) {
  return Ticks(std::llround(seconds.value() * base.ticks_per_second));
}

std::optional<Cycles> shown_cycles(std::optional<Ticks> ticks, TimeBase base) {
  return base.is_clock ? ticks : std::nullopt;
}

Ticks picoseconds(double seconds) {
  constexpr double kMost = static_cast<double>(std::int64_t{1} << 60);  // callers that add times refuse longer ones
  constexpr double kNothing = 1e-6;                                     // the rounding error on a whole number
  return Ticks(
      static_cast<std::int64_t>(std::ceil(std::min(seconds * kPicoseconds.ticks_per_second - kNothing, kMost))));
}

}  // namespace muster
