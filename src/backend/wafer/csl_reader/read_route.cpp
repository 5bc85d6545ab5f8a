// .{ .routes = ..., .switches = ... } as a route with its positions.
#include <algorithm>
#include <array>

#include "backend/wafer/csl_reader/layout.h"

namespace muster::wafer::csl {

namespace {

const Record& struct_of(const Value& value, std::string_view what, const Location& location) {
  if (!value.is(ValueKind::structure)) fail(location, "{}: expected a struct, found {}", what, describe(value));
  const auto& record = object_of<Record>(value);
  if (record.names == nullptr && !record.values.empty()) fail(location, "{}: expected a struct with names", what);
  return record;
}

void only(const Record& record, std::initializer_list<std::string_view> known, std::string_view what,
          const Location& location) {
  for (std::size_t i = 0; record.names != nullptr && i < record.names->size(); ++i) {
    const std::string& name = (*record.names)[i];
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail(location, "{}: the setting '{}' is not supported", what, name);
    }
  }
}

Directions add_direction(Directions set, const Value& value, const Location& location) {
  if (!value.is(ValueKind::direction)) {
    fail(location, "expected NORTH, EAST, SOUTH, WEST or RAMP, found {}", describe(value));
  }
  const auto direction = static_cast<Direction>(value.number);
  if (has(set, direction)) fail(location, "a direction is given twice");
  return static_cast<Directions>(set | set_of(direction));
}

Directions directions_of(const Value& value, const Location& location) {
  if (!value.is(ValueKind::structure)) return add_direction(0, value, location);
  Directions set = 0;
  if (object_of<Record>(value).names != nullptr) fail(location, "expected directions, found a struct with names");
  for (const Value& element : object_of<Record>(value).values) set = add_direction(set, element, location);
  return set;
}

bool is_true(const Value* value) { return value != nullptr && value->is(ValueKind::boolean) && value->truth(); }

/// Whether a router uses up a command of every control wavelet.
bool pops_always(const Record& switches, const Location& location) {
  const Value* mode = switches.find("pop_mode");
  if (mode == nullptr) return false;
  const Record& record = struct_of(*mode, "pop_mode", location);
  const bool always = is_true(record.find("always_pop"));
  if (always == is_true(record.find("no_pop"))) {
    fail(location, "pop_mode: only no_pop and always_pop are supported, one of them");
  }
  return always;
}

/// Position 0 is the one that holds at the start.
void rotate(ColorRoute& route, const Value& current, const Location& location) {
  const std::int64_t first = integer_in(current, 0, route.count - 1, "current_switch_pos", location);
  if (first != 0 && !route.ring) fail(location, "current_switch_pos: only 0 is supported without ring_mode");
  std::rotate(route.positions.begin(), route.positions.begin() + first, route.positions.begin() + route.count);
}

/// What a position does not mention is, in a ring, as in the position before, as the vendor's 25-point stencil has it; elsewhere as in
/// position 0.
void read_switches(const Record& switches, ColorRoute& route, const Location& location) {
  only(switches, {"pos1", "pos2", "pos3", "ring_mode", "pop_mode", "current_switch_pos"}, "switches", location);
  const bool ring_mode = is_true(switches.find("ring_mode"));
  route.ring = pops_always(switches, location);
  static constexpr std::array<std::string_view, 3> kPositions{"pos1", "pos2", "pos3"};
  bool ended = false;
  for (const std::string_view name : kPositions) {
    const Value* value = switches.find(name);
    if (value == nullptr || is_true(struct_of(*value, name, location).find("invalid"))) {
      ended = true;
      continue;
    }
    if (ended) fail(location, "{} follows a position that is not set", name);
    const Record& record = struct_of(*value, name, location);
    only(record, {"rx", "tx"}, name, location);
    Position position = route.positions[ring_mode ? route.count - std::size_t{1} : 0];
    if (const Value* rx = record.find("rx")) position.from = directions_of(*rx, location);
    if (const Value* tx = record.find("tx")) position.to = directions_of(*tx, location);
    if (position.from == 0 || position.to == 0) fail(location, "{} leads nowhere", name);
    route.positions[route.count++] = position;
  }
  if (route.count > 1 && ring_mode != route.ring) {
    fail(location, "ring_mode is supported with .pop_mode = .{{ .always_pop = true }}, and that with ring_mode");
  }
  if (const Value* current = switches.find("current_switch_pos")) rotate(route, *current, location);
}

}  // namespace

ColorRoute read_route(const Value& config, const Location& location) {
  const Record& record = struct_of(config, "the color's configuration", location);
  only(record, {"routes", "switches", "teardown"}, "the color's configuration", location);
  if (is_true(record.find("teardown"))) fail(location, "teardown is not supported");
  const Value* routes = record.find("routes");
  if (routes == nullptr) fail(location, "the color's configuration has no routes");
  const Record& base = struct_of(*routes, "routes", location);
  only(base, {"rx", "tx"}, "routes", location);
  const Value* rx = base.find("rx");
  const Value* tx = base.find("tx");
  if (rx == nullptr || tx == nullptr) fail(location, "routes need rx and tx");
  ColorRoute route;
  route.count = 1;
  route.positions[0] = {directions_of(*rx, location), directions_of(*tx, location)};
  if (route.positions[0].from == 0 || route.positions[0].to == 0) fail(location, "the route leads nowhere");
  if (const Value* switches = record.find("switches")) {
    read_switches(struct_of(*switches, "switches", location), route, location);
  }
  return route;
}

}  // namespace muster::wafer::csl
