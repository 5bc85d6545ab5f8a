// Reading and printing physical values.
#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "base/one_line.h"

namespace muster {
namespace {

/// A unit's name and what one of it is in the base unit.
struct Unit {
  std::string_view name;
  double factor;
};

constexpr double kKi = 1024.0;

constexpr Unit kSizes[] = {
    {"", 1},
    {"B", 1},
    {"byte", 1},
    {"bytes", 1},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"PB", 1e15},
    {"KiB", kKi},
    {"MiB", kKi* kKi},
    {"GiB", kKi* kKi* kKi},
    {"TiB", kKi* kKi* kKi* kKi},
    {"PiB", kKi* kKi* kKi* kKi* kKi},
};

constexpr Unit kFrequencies[] = {{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}, {"THz", 1e12}};

constexpr Unit kSecondUnits[] = {
    {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"μs", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12},  // micro, mu
};

constexpr Unit kLengths[] = {{"m", 1}, {"km", 1e3}, {"cm", 1e-2}, {"mm", 1e-3}};
constexpr Unit kVelocities[] = {{"m/s", 1}, {"km/s", 1e3}};
constexpr Unit kDensities[] = {{"kg/m3", 1}, {"g/cm3", 1e3}};

/// What a rate counts, in bytes. Bits are an eighth.
constexpr Unit kAmounts[] = {
    {"B", 1},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"KiB", kKi},
    {"MiB", kKi* kKi},
    {"GiB", kKi* kKi* kKi},
    {"TiB", kKi* kKi* kKi* kKi},
    {"b", 1 / 8.0},
    {"kb", 1e3 / 8},
    {"Kb", 1e3 / 8},
    {"Mb", 1e6 / 8},
    {"Gb", 1e9 / 8},
    {"Tb", 1e12 / 8},
    {"bit", 1 / 8.0},
    {"kbit", 1e3 / 8},
    {"Kbit", 1e3 / 8},
    {"Mbit", 1e6 / 8},
    {"Gbit", 1e9 / 8},
    {"Tbit", 1e12 / 8},
    {"Kib", kKi / 8},
    {"Mib", kKi* kKi / 8},
    {"Gib", kKi* kKi* kKi / 8},
};

// Beyond these, a value in a file is a slip of the pen, and arithmetic on it could overflow.
constexpr double kMostBytes = 1152921504606846976.0;  // 1 EiB
constexpr double kMostHertz = 1e12;
constexpr double kMostSeconds = 1e6;  // times the largest clock: still a 64-bit number of cycles
constexpr double kMostCycles = 1e15;
constexpr double kMostBytesPerSecond = 1e18;

/// A number and what is behind it, spaces between them left out.
struct Measure {
  double number = 0;
  std::string_view unit;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits, perhaps a fraction and an exponent; no sign, no 'inf', no 'nan', no hexadecimal.
std::optional<Measure> split(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  Measure measure;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), measure.number);
  if (error != std::errc{} || !is_digit(end[-1])) return std::nullopt;
  measure.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::size_t unit_start = measure.unit.find_first_not_of(' ');
  if (unit_start == std::string_view::npos) {
    return measure.unit.empty() ? std::optional(measure) : std::nullopt;  // trailing spaces are junk
  }
  measure.unit.remove_prefix(unit_start);
  return measure;
}

std::optional<double> factor_of(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.factor;
  }
  return std::nullopt;
}

std::string quoted(std::string_view text) { return fmt::format("'{}'", one_line(text, 60)); }

Refusal not_a(std::string_view text, std::string_view what, std::string_view examples) {
  return {fmt::format("{} is not a {}; use e.g. {}", quoted(text), what, examples)};
}

Refusal too_large(std::string_view text, std::string_view most) {
  return {fmt::format("{} is too large; at most {}", quoted(text), most)};
}

/// The whole number that `value` is up to rounding of its decimal fraction ("1.1 GB" is one, "0.3 B" is none).
std::optional<double> as_whole(double value) {
  const double whole = std::round(value);
  if (std::abs(value - whole) > 1e-9 + 1e-14 * value) return std::nullopt;
  return whole;
}

constexpr std::string_view kSizeExamples = "'64', '1 KiB' or '128 kB'";
constexpr std::string_view kTimeExamples = "'2 cycles' or '2.4 ns'";
constexpr std::string_view kRateExamples = "'64 Gb/s', '1.5 GB/s', '32 B/cycle' or '1 wavelet/cycle'";

bool is_cycles(std::string_view unit) { return unit == "cycle" || unit == "cycles"; }

Outcome<Seconds> seconds_of(const Measure& measure, std::string_view text, std::string_view examples) {
  const std::optional<double> factor = factor_of(kSecondUnits, measure.unit);
  if (!factor) return not_a(text, "time", examples);
  const double seconds = measure.number * *factor;
  if (!(seconds <= kMostSeconds)) return too_large(text, "1e6 s");
  return Seconds(seconds);
}

}  // namespace

Outcome<Bytes> parse_bytes(std::string_view text) {
  const std::optional<Measure> measure = split(text);
  if (!measure) return not_a(text, "size", kSizeExamples);
  const std::optional<double> factor = factor_of(kSizes, measure->unit);
  if (!factor && factor_of(kAmounts, measure->unit)) {
    return Refusal{fmt::format("{} is in bits; give bytes, e.g. {}", quoted(text), kSizeExamples)};
  }
  if (!factor) return not_a(text, "size", kSizeExamples);
  const double bytes = measure->number * *factor;
  if (!(bytes <= kMostBytes)) return too_large(text, "1024 PiB");
  // A whole number of units is multiplied exactly: doubles end at 2^53.
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool is_integer = error == std::errc{} && static_cast<double>(count) == measure->number;
  if (is_integer) return Bytes(count * static_cast<std::int64_t>(*factor));
  const std::optional<double> whole = as_whole(bytes);
  if (!whole)
    return Refusal{fmt::format("{} is not a whole number of bytes; use e.g. {}", quoted(text), kSizeExamples)};
  return Bytes(static_cast<std::int64_t>(*whole));
}

Outcome<Hertz> parse_hertz(std::string_view text) {
  constexpr std::string_view kExamples = "'850 MHz' or '1 GHz'";
  const std::optional<Measure> measure = split(text);
  const std::optional<double> factor = measure ? factor_of(kFrequencies, measure->unit) : std::nullopt;
  if (!factor) return not_a(text, "frequency", kExamples);
  const double hertz = measure->number * *factor;
  if (!(hertz <= kMostHertz)) return too_large(text, "1 THz");
  return Hertz(hertz);
}

Outcome<Time> parse_time(std::string_view text) {
  const std::optional<Measure> measure = split(text);
  if (!measure) return not_a(text, "time", kTimeExamples);
  if (is_cycles(measure->unit)) {
    if (!(measure->number <= kMostCycles)) return too_large(text, "1e15 cycles");
    if (measure->number != std::floor(measure->number)) {
      return Refusal{fmt::format("{} is not a whole number of cycles; use e.g. {}", quoted(text), kTimeExamples)};
    }
    return Time{.kind = Time::Kind::cycles, .value = measure->number};
  }
  const Outcome<Seconds> seconds = seconds_of(*measure, text, kTimeExamples);
  if (!seconds) return Refusal{seconds.reason()};
  return Time{.kind = Time::Kind::seconds, .value = seconds.value().value()};
}

Outcome<Seconds> parse_seconds(std::string_view text) {
  constexpr std::string_view kExamples = "'2 us'";
  const std::optional<Measure> measure = split(text);
  if (!measure) return not_a(text, "time", kExamples);
  if (is_cycles(measure->unit)) {
    return Refusal{fmt::format("{} is in cycles, and this machine has no clock; use e.g. {}", quoted(text), kExamples)};
  }
  return seconds_of(*measure, text, kExamples);
}

namespace {

/// A number with one of `units`, at most 1e9 of the first.
Outcome<double> parse_with(std::string_view text, std::span<const Unit> units, std::string_view what,
                           std::string_view examples) {
  constexpr double kMost = 1e9;
  const std::optional<Measure> measure = split(text);
  const std::optional<double> factor = measure ? factor_of(units, measure->unit) : std::nullopt;
  if (!factor) return not_a(text, what, examples);
  const double value = measure->number * *factor;
  if (!(value <= kMost)) return too_large(text, fmt::format("1e9 {}", units.front().name));
  return value;
}

template <class Measured>
Outcome<Measured> with_type(const Outcome<double>& value) {
  return value ? Outcome<Measured>(Measured(value.value())) : Outcome<Measured>(Refusal{value.reason()});
}

}  // namespace

Outcome<Metres> parse_metres(std::string_view text) {
  return with_type<Metres>(parse_with(text, kLengths, "length", "'20 m' or '1.2 km'"));
}

Outcome<MetresPerSecond> parse_velocity(std::string_view text) {
  return with_type<MetresPerSecond>(parse_with(text, kVelocities, "velocity", "'1500 m/s' or '1.5 km/s'"));
}

Outcome<KilogramsPerCubicMetre> parse_density(std::string_view text) {
  return with_type<KilogramsPerCubicMetre>(parse_with(text, kDensities, "density", "'1000 kg/m3' or '2.1 g/cm3'"));
}

Outcome<Rate> parse_rate(std::string_view text) {
  const std::optional<Measure> measure = split(text);
  const std::size_t slash = measure ? measure->unit.find('/') : std::string_view::npos;
  if (slash == std::string_view::npos) return not_a(text, "bandwidth", kRateExamples);
  const std::string_view amount = measure->unit.substr(0, slash);
  const std::string_view per = measure->unit.substr(slash + 1);
  if (per == "cycle" && (amount == "wavelet" || amount == "wavelets")) {
    if (!(measure->number <= kMostCycles)) return too_large(text, "1e15 wavelets/cycle");
    return Rate{.kind = Rate::Kind::wavelets_per_cycle, .value = measure->number};
  }
  const std::optional<double> factor = factor_of(kAmounts, amount);
  if (!factor || (per != "s" && per != "cycle")) return not_a(text, "bandwidth", kRateExamples);
  const double bytes = measure->number * *factor;
  if (!(bytes <= kMostBytesPerSecond)) return too_large(text, "1e6 TB/s");
  return Rate{.kind = per == "s" ? Rate::Kind::bytes_per_second : Rate::Kind::bytes_per_cycle, .value = bytes};
}

Cycles to_cycles(Time time, Hertz clock) {
  const double cycles = time.kind == Time::Kind::cycles ? time.value : time.value * clock.value();
  return Cycles(std::llround(cycles));
}

Seconds to_seconds(Time time, Hertz clock) {
  return Seconds(time.kind == Time::Kind::seconds ? time.value : time.value / clock.value());
}

Seconds to_seconds(Cycles cycles, Hertz clock) { return Seconds(static_cast<double>(cycles.value()) / clock.value()); }

}  // namespace muster
