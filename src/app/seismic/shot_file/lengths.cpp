// Positions and steps in a shot file.
#include <algorithm>

#include "app/seismic/point.h"
#include "app/seismic/shot_file/reader.h"
#include "base/one_line.h"

namespace muster::seismic {
namespace {

double length_of(const TomlTable& table, std::string_view key, std::string_view text, Sign sign) {
  const bool is_negative = sign == Sign::allowed && text.starts_with('-');
  const Outcome<Metres> value = parse_metres(is_negative ? text.substr(1) : text);
  if (!value) table.refuse(key, value.reason());
  return is_negative ? -value.value().value() : value.value().value();
}

}  // namespace

PerAxis<double> read_lengths(const TomlTable& table, std::string_view key, Sign sign) {
  const std::vector<std::string> texts = table.strings(key);
  if (texts.size() != 3) {
    table.refuse(
        key, fmt::format("has {} lengths; it needs x, y and z, e.g. [\"2.4 km\", \"2.4 km\", \"20 m\"]", texts.size()));
  }
  PerAxis<double> lengths;
  for (const Axis axis : kAxes) lengths[axis] = length_of(table, key, texts[index_of(axis)], sign);
  return lengths;
}

PerAxis<double> parse_lengths(const TomlTable& table, std::string_view key, const std::string& text) {
  PerAxis<double> lengths;
  std::string_view rest = text;
  for (const Axis axis : kAxes) {
    const std::size_t comma = rest.find(',');
    const bool is_last = axis == Axis::z;
    if ((comma == std::string_view::npos) != is_last) {
      table.refuse(key, fmt::format("'{}' is not a position; use e.g. '2.4 km, 2.4 km, 20 m'", one_line(text)));
    }
    lengths[axis] = length_of(table, key, rest.substr(0, comma), Sign::none);
    if (is_last) break;
    rest.remove_prefix(comma + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  }
  return lengths;
}

namespace {

double last_node(const Shot& shot, Axis axis) {
  return static_cast<double>(shot.grid.extent[axis] - 1) * shot.grid.spacing[axis];
}

bool is_inside(const Shot& shot, Axis axis, double at) {
  const double rounding = kSameNode * shot.grid.spacing[axis];
  return at >= -rounding && at <= last_node(shot, axis) + rounding;
}

}  // namespace

bool is_inside(const Shot& shot, const PerAxis<double>& position, const PerAxis<double>& increment) {
  // Positions move along a line, so the first and the last shot tell about all.
  for (const std::int64_t number : {std::int64_t{1}, shot.repetition.count}) {
    const PerAxis<double> at = moved(position, increment, number);
    for (const Axis axis : kAxes) {
      if (!is_inside(shot, axis, at[axis])) return false;
    }
  }
  return true;
}

void check_inside(const TomlTable& table, std::string_view key, const Shot& shot, const PerAxis<double>& position,
                  const PerAxis<double>& increment, std::string_view what) {
  if (is_inside(shot, position, increment)) return;
  for (const std::int64_t number : {std::int64_t{1}, shot.repetition.count}) {
    const PerAxis<double> at = moved(position, increment, number);
    for (const Axis axis : kAxes) {
      if (is_inside(shot, axis, at[axis])) continue;
      const std::string in_shot = number == 1 ? "" : fmt::format(" in shot {}", number);
      table.refuse(key, fmt::format("{}{}: {} = {:.10g} m is outside the grid, which goes from 0 to {:.10g} m", what,
                                    in_shot, "xyz"[index_of(axis)], at[axis], last_node(shot, axis)));
    }
  }
}

std::string read_plain_name(const TomlTable& table, std::string_view key) {
  std::string name = table.string(key);
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (name.empty() || name.size() > 64 || !std::ranges::all_of(name, is_plain)) {
    table.refuse(key, fmt::format("'{}' cannot be part of a file's name; use up to 64 letters, digits, - and _",
                                  one_line(name)));
  }
  return name;
}

}  // namespace muster::seismic
