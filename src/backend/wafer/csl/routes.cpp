// A position of a switch says only what it changes of the base route: on some machines it can hold no more.
#include "backend/wafer/csl/routes.h"

#include <cctype>

#include "backend/wafer/directions.h"

namespace muster::wafer {

namespace {

/// "WEST, RAMP".
std::string sides(Directions set) {
  std::string text;
  for (int d = 0; d < kDirections; ++d) {
    if (!has(set, direction_at(d))) continue;
    if (!text.empty()) text += ", ";
    for (const char letter : direction_name(direction_at(d))) text += static_cast<char>(std::toupper(letter));
  }
  return text;
}

/// ".pos1 = .{ .rx = EAST }": the side that changes; both, where the machine can and they do. A position that changes
/// nothing repeats the input.
std::string position(const ColorRoute& route, std::size_t p) {
  const Position& now = route.positions[p];
  const ChangedSides changed = changed_sides(route.positions[0], now);
  std::string fields;
  const std::string tx = (now.to & (now.to - 1)) == 0 ? sides(now.to) : ".{ " + sides(now.to) + " }";
  if (changed.input || !changed.output) fields += ".rx = " + sides(now.from);
  if (changed.output) fields += (fields.empty() ? ".tx = " : ", .tx = ") + tx;
  return fmt::format(".pos{} = .{{ {} }}", p, fields);
}

}  // namespace

std::string route_value(const ColorRoute& route) {
  std::string text = fmt::format(".{{ .routes = .{{ .rx = .{{ {} }}, .tx = .{{ {} }} }}",
                                 sides(route.positions[0].from), sides(route.positions[0].to));
  if (route.count > 1) {
    std::string switches;
    for (std::size_t p = 1; p < route.count; ++p) switches += (p == 1 ? "" : ", ") + position(route, p);
    text += ", .switches = .{ " + switches + " }";
  }
  return text + " }";
}

std::string route_words(const ColorRoute& route) {
  std::string text;
  for (std::size_t p = 0; p < route.count; ++p) {
    const Position& now = route.positions[p];
    text += fmt::format("{}{} to {}", p == 0 ? "" : ", then ", directions_text(now.from), directions_text(now.to));
  }
  return text;
}

}  // namespace muster::wafer
