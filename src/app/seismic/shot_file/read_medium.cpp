// A medium in a shot file.
#include <charconv>
#include <cmath>
#include <numbers>

#include "app/seismic/media.h"
#include "app/seismic/shot_file/reader.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

/// "30 deg" or "0.5 rad", in radians; angles may be negative.
double read_angle(const TomlTable& table, std::string_view key) {
  const std::string text = table.string(key);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const bool is_degrees = unit == "deg";
  if (error != std::errc{} || (!is_degrees && unit != "rad") || !(std::abs(number) <= 1000)) {
    table.refuse(key, fmt::format("'{}' is not an angle; use e.g. '30 deg' or '0.5 rad'", one_line(text)));
  }
  return is_degrees ? number * std::numbers::pi / 180 : number;
}

double read_value(const TomlTable& table, const MediumParameter& parameter) {
  switch (parameter.unit) {
    case MediumParameter::Unit::velocity:
      return table.velocity(parameter.name).value();
    case MediumParameter::Unit::density:
      return table.density(parameter.name).value();
    case MediumParameter::Unit::angle:
      return read_angle(table, parameter.name);
    case MediumParameter::Unit::none:
      break;
  }
  return table.number(parameter.name);
}

}  // namespace

void read_parameter(const TomlTable& table, std::string_view name, Medium& medium) {
  for (const MediumParameter& parameter : kMediumParameters) {
    if (parameter.name == name && table.has(name)) medium.*parameter.value = read_value(table, parameter);
  }
}

Medium read_medium(const TomlTable& table, const Shot& shot) {
  Medium medium;
  medium.vp = table.velocity("vp").value();
  for (const MediumParameter& parameter : kMediumParameters) read_parameter(table, parameter.name, medium);
  const MediumFault fault = fault_of(medium, shot.propagator);
  if (!fault.parameter.empty()) table.refuse(fault.parameter, fault.reason);
  return medium;
}

}  // namespace muster::seismic
