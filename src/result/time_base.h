// The time of a machine: ticks, and what a tick is. Inside, every time is a number of ticks; seconds are made here alone.
#pragma once

#include <optional>

#include "base/units.h"

namespace muster {

/// What a tick stands for: a cycle of the machine's clock, or a picosecond where there is none.
struct TimeBase {
  double ticks_per_second = 1e12;
  bool is_clock = false;
};

/// Of machines without a clock.
inline constexpr TimeBase kPicoseconds{};

Seconds to_seconds(Ticks ticks, TimeBase base);

/// The same in microseconds, as traces and pictures show times: exact where the number of digits allows it.
double to_microseconds(Ticks ticks, TimeBase base);

/// The nearest number of ticks.
Ticks nearest_ticks(Seconds seconds, TimeBase base);

/// The ticks as an answer shows them: cycles, or nothing where the machine has no clock.
std::optional<Cycles> shown_cycles(std::optional<Ticks> ticks, TimeBase base);

/// A time of a machine without a clock, rounded up, so that nothing is faster than its bandwidth; at most about 13 days (2^60).
Ticks picoseconds(double seconds);

}  // namespace muster
