// Printing physical values for people.
#include <array>
#include <cmath>
#include <span>

#include "base/units.h"

namespace muster {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

/// Three significant digits without an exponent: "1.23", "64", "1500".
std::string digits(double value) {
  if (value >= 999.5) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

/// `value` in the first of `units` (largest first) of which it is at least one, after rounding to three digits.
std::string in_fitting_unit(double value, std::span<const Unit> units) {
  const Unit* fitting = &units.back();
  if (value == 0) return fmt::format("0 {}", fitting->name);
  if (!std::isfinite(value)) return fmt::format("{} {}", value, fitting->name);
  const double size = std::abs(value);
  for (const Unit& unit : units) {
    if (size / unit.factor >= 0.9995) {
      fitting = &unit;
      break;
    }
  }
  return fmt::format("{}{} {}", value < 0 ? "-" : "", digits(size / fitting->factor), fitting->name);
}

struct WholeUnit {
  std::string_view name;
  std::int64_t factor;
};

/// Of the units (largest first), the first that divides `value` with a quotient that a person reads at a glance.
const WholeUnit* exact_unit(std::int64_t value, std::span<const WholeUnit> units) {
  constexpr std::int64_t kGlance = 10000;
  for (const WholeUnit& unit : units) {
    if (value % unit.factor == 0) return value / unit.factor < kGlance ? &unit : nullptr;
  }
  return nullptr;
}

}  // namespace

std::string to_text(Cycles value) {
  return fmt::format("{} {}", value.value(), value.value() == 1 ? "cycle" : "cycles");
}

/// Exact in decimal units where they fit ("128 kB"), else exact in binary ones ("48 KiB"), else rounded ("1.23 GB").
std::string to_text(Bytes value) {
  static constexpr WholeUnit kDecimal[] = {
      {"PB", 1'000'000'000'000'000}, {"TB", 1'000'000'000'000}, {"GB", 1'000'000'000}, {"MB", 1'000'000}, {"kB", 1000}};
  static constexpr WholeUnit kBinary[] = {{"PiB", std::int64_t{1} << 50}, {"TiB", std::int64_t{1} << 40},
                                          {"GiB", std::int64_t{1} << 30}, {"MiB", std::int64_t{1} << 20},
                                          {"KiB", std::int64_t{1} << 10}, {"B", 1}};
  static constexpr Unit kRounded[] = {{"PB", 1e15}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}};
  const std::int64_t bytes = value.value();
  if (bytes > 0) {
    const WholeUnit* unit = exact_unit(bytes, kDecimal);
    if (unit == nullptr) unit = exact_unit(bytes, kBinary);
    if (unit != nullptr) return fmt::format("{} {}", bytes / unit->factor, unit->name);
  }
  return in_fitting_unit(static_cast<double>(bytes), kRounded);
}

std::string to_text(Seconds value) {
  static constexpr Unit kUnits[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
  return value.value() == 0 ? "0 s" : in_fitting_unit(value.value(), kUnits);
}

std::string to_text(Hertz value) {
  static constexpr Unit kUnits[] = {{"THz", 1e12}, {"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}};
  return in_fitting_unit(value.value(), kUnits);
}

std::string to_text(BytesPerSecond value) {
  static constexpr Unit kUnits[] = {{"Tb/s", 1e12}, {"Gb/s", 1e9}, {"Mb/s", 1e6}, {"kb/s", 1e3}, {"b/s", 1}};
  return in_fitting_unit(value.value() * 8, kUnits);
}

}  // namespace muster
