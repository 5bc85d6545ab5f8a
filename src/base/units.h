// Physical values as types: no bare number crosses an interface. Decimal (kB, GB) and binary (KiB, GiB) sizes are kept
// apart, and so are bits (b) and bytes (B).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace muster {

/// A number with a dimension. Same dimensions add; a scalar scales; the ratio of two is a plain number.
template <class Tag, class Number>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(Number value) : value_(value) {}
  [[nodiscard]] constexpr Number value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator+(Quantity other) const { return Quantity(value_ + other.value_); }
  constexpr Quantity operator-(Quantity other) const { return Quantity(value_ - other.value_); }
  constexpr Quantity operator*(Number factor) const { return Quantity(value_ * factor); }
  constexpr Quantity& operator+=(Quantity other) { return value_ += other.value_, *this; }
  constexpr double operator/(Quantity other) const {
    return static_cast<double>(value_) / static_cast<double>(other.value_);
  }

 private:
  Number value_{};
};

/// The unit of a machine's time: a cycle of its clock, or a picosecond where it has none (result/time_base.h).
using Ticks = Quantity<struct TicksTag, std::int64_t>;
/// Ticks of a machine with a clock.
using Cycles = Ticks;
using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Seconds = Quantity<struct SecondsTag, double>;
using Hertz = Quantity<struct HertzTag, double>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;
using Metres = Quantity<struct MetresTag, double>;
using MetresPerSecond = Quantity<struct MetresPerSecondTag, double>;
using KilogramsPerCubicMetre = Quantity<struct KilogramsPerCubicMetreTag, double>;

/// A time as written in a machine file: in cycles of the machine's clock, or in seconds.
struct Time {
  enum class Kind { cycles, seconds } kind = Kind::cycles;
  double value = 0;
};

/// A bandwidth as written in a machine file: per second, or per cycle of the machine's clock.
struct Rate {
  enum class Kind { bytes_per_second, bytes_per_cycle, wavelets_per_cycle } kind = Kind::bytes_per_second;
  double value = 0;
};

// Parsers. A refusal's reason quotes the text and shows what would do: "'2 GB' is not a time; use e.g. '2 cycles' or
// '2.4 ns'".
Outcome<Bytes> parse_bytes(std::string_view text);  // "1 KiB", "128KB", "1GB", "64" (plain bytes)
Outcome<Hertz> parse_hertz(std::string_view text);  // "850 MHz"
Outcome<Time> parse_time(std::string_view text);    // "2 cycles", "2.4 ns", "1 us"
/// Where there is no clock to count cycles of: "'2 cycles' is in cycles, and this machine has no clock; use e.g. '2 us'".
Outcome<Seconds> parse_seconds(std::string_view text);
Outcome<Rate> parse_rate(std::string_view text);  // "64 Gb/s", "1.5 GB/s", "32 B/cycle", "1 wavelet/cycle"

Outcome<Metres> parse_metres(std::string_view text);                   // "20 m", "1.2 km"
Outcome<MetresPerSecond> parse_velocity(std::string_view text);        // "1500 m/s", "1.5 km/s"
Outcome<KilogramsPerCubicMetre> parse_density(std::string_view text);  // "1000 kg/m3", "2.1 g/cm3"

/// `time` in whole cycles of `clock`, rounded to the nearest; in seconds.
Cycles to_cycles(Time time, Hertz clock);
Seconds to_seconds(Time time, Hertz clock);
Seconds to_seconds(Cycles cycles, Hertz clock);

// Printers, for people: three significant digits and the unit that fits ("1.23 us", "64 Gb/s", "850 MHz", "1 KiB").
std::string to_text(Cycles value);
std::string to_text(Bytes value);
std::string to_text(Seconds value);
std::string to_text(Hertz value);
std::string to_text(BytesPerSecond value);

}  // namespace muster
