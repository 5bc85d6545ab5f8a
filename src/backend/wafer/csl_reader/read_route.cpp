// .{ .routes = ..., .switches = ... } as a route with its positions.
#include <array>

#include "backend/wafer/csl_reader/layout.h"

namespace muster::wafer::csl {

namespace {

const Record& struct_of(const Value& value, std::string_view what, const Place& place) {
  if (!value.is(ValueKind::structure)) fail(place, "{}: expected a struct, found {}", what, describe(value));
  const auto& record = object_of<Record>(value);
  if (record.names == nullptr && !record.values.empty()) fail(place, "{}: expected a struct with names", what);
  return record;
}

void only(const Record& record, std::initializer_list<std::string_view> known, std::string_view what,
          const Place& place) {
  for (std::size_t i = 0; record.names != nullptr && i < record.names->size(); ++i) {
    const std::string& name = (*record.names)[i];
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fail(place, "{}: the setting '{}' is not supported", what, name);
    }
  }
}

Directions add_direction(Directions set, const Value& value, const Place& place) {
  if (!value.is(ValueKind::direction)) {
    fail(place, "expected NORTH, EAST, SOUTH, WEST or RAMP, found {}", describe(value));
  }
  const auto direction = static_cast<Direction>(value.number);
  if (has(set, direction)) fail(place, "a direction is given twice");
  return static_cast<Directions>(set | set_of(direction));
}

Directions directions_of(const Value& value, const Place& place) {
  if (!value.is(ValueKind::structure)) return add_direction(0, value, place);
  Directions set = 0;
  if (object_of<Record>(value).names != nullptr) fail(place, "expected directions, found a struct with names");
  for (const Value& one : object_of<Record>(value).values) set = add_direction(set, one, place);
  return set;
}

bool is_true(const Value* value) { return value != nullptr && value->is(ValueKind::boolean) && value->truth(); }

void read_switches(const Record& switches, ColorRoute& route, const Place& place) {
  only(switches, {"pos1", "pos2", "pos3", "ring_mode", "pop_mode", "current_switch_pos"}, "switches", place);
  if (is_true(switches.find("ring_mode"))) fail(place, "ring_mode is not supported: a wafer program is reset");
  if (const Value* current = switches.find("current_switch_pos")) {
    if (!current->is(ValueKind::integer) || current->number != 0) {
      fail(place, "current_switch_pos: only 0 is supported");
    }
  }
  if (const Value* mode = switches.find("pop_mode")) {
    if (!is_true(struct_of(*mode, "pop_mode", place).find("no_pop"))) fail(place, "pop_mode: only no_pop is supported");
  }
  static constexpr std::array<std::string_view, 3> kPositions{"pos1", "pos2", "pos3"};
  bool ended = false;
  for (const std::string_view name : kPositions) {
    const Value* value = switches.find(name);
    if (value == nullptr || is_true(struct_of(*value, name, place).find("invalid"))) {
      ended = true;
      continue;
    }
    if (ended) fail(place, "{} follows a position that is not set", name);
    const Record& record = struct_of(*value, name, place);
    only(record, {"rx", "tx"}, name, place);
    Position position = route.positions[0];
    if (const Value* rx = record.find("rx")) position.from = directions_of(*rx, place);
    if (const Value* tx = record.find("tx")) position.to = directions_of(*tx, place);
    if (position.from == 0 || position.to == 0) fail(place, "{} leads nowhere", name);
    route.positions[route.count++] = position;
  }
}

}  // namespace

ColorRoute read_route(const Value& config, const Place& place) {
  const Record& record = struct_of(config, "the color's configuration", place);
  only(record, {"routes", "switches", "teardown"}, "the color's configuration", place);
  if (is_true(record.find("teardown"))) fail(place, "teardown is not supported");
  const Value* routes = record.find("routes");
  if (routes == nullptr) fail(place, "the color's configuration has no routes");
  const Record& base = struct_of(*routes, "routes", place);
  only(base, {"rx", "tx"}, "routes", place);
  const Value* rx = base.find("rx");
  const Value* tx = base.find("tx");
  if (rx == nullptr || tx == nullptr) fail(place, "routes need rx and tx");
  ColorRoute route;
  route.count = 1;
  route.positions[0] = {directions_of(*rx, place), directions_of(*tx, place)};
  if (route.positions[0].from == 0 || route.positions[0].to == 0) fail(place, "the route leads nowhere");
  if (const Value* switches = record.find("switches")) {
    read_switches(struct_of(*switches, "switches", place), route, place);
  }
  return route;
}

}  // namespace muster::wafer::csl
