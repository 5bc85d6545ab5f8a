// For tests: the localized broadcast of a stencil, as routes and command lists.
//
// Along a line of PEs, PE s sends its block to itself and to the next `radius` PEs, all on one color. In turn t of radius + 1, the
// PEs at places s = t (mod radius + 1) are roots. A router is root, relay or last for a turn, by its distance from the root. From
// root to last both sides change, so there is a position between them, in which the root's router takes from the ramp and
// gives to the ramp alone.
#pragma once

#include <vector>

#include "backend/wafer/directions.h"
#include "backend/wafer/test_schedules.h"
#include "base/index.h"

namespace muster::wafer::test {

/// A line of PEs, by their places along it.
struct LocalizedLine {
  std::int8_t color = 0;
  Direction ahead = Direction::east;
  std::int32_t length = 1;
  std::int32_t radius = 1;
  [[nodiscard]] std::int32_t turns() const { return radius + 1; }
};

enum class TurnRole : std::uint8_t { root, aside, last, relay };

inline Position position_of(const LocalizedLine& line, std::int32_t place, TurnRole role) {
  const Directions here = set_of(Direction::ramp), behind = set_of(opposite(line.ahead));
  const auto onwards = static_cast<Directions>(here | (place + 1 < line.length ? set_of(line.ahead) : 0));
  switch (role) {
    case TurnRole::root:
      return {here, onwards};
    case TurnRole::aside:
      return {here, here};
    case TurnRole::last:
      return {behind, here};
    default:
      return {behind, onwards};
  }
}

/// The roles of a router in cyclic order, from turn 0 on. With radius 1, no one relays, and the way from last to root leads aside too.
inline std::vector<TurnRole> roles_of(const LocalizedLine& line, std::int32_t place) {
  using enum TurnRole;
  if (place == 0) return {root};
  if (place < line.radius) return {relay, root};
  const std::int32_t distance = place % line.turns();
  if (line.radius == 1) {
    return distance == 0 ? std::vector{root, aside, last, aside} : std::vector{last, aside, root, aside};
  }
  if (distance == 0) return {root, aside, last, relay};
  return distance == line.radius ? std::vector{last, relay, root, aside} : std::vector{relay, root, aside, last};
}

inline ColorRoute localized_route(const LocalizedLine& line, std::int32_t place) {
  ColorRoute route{.color = line.color};
  for (const TurnRole role : roles_of(line, place)) route.positions[route.count++] = position_of(line, place, role);
  route.ring = route.count > 1;
  return route;
}

/// With radius 1, a router in turn 0 the last one is taken to its own turn by its own processor, before the block.
inline bool begins_with_advance(const LocalizedLine& line, std::int32_t place) {
  return line.radius == 1 && place % 2 == 1;
}

/// What follows the block of the root at a place.
inline Output localized_output(const LocalizedLine& line, std::int32_t place) {
  Output output{.color = line.color};
  const auto positions = roles_of(line, place).size();
  CommandList list = command_list({positions > 1 ? Command::advance : Command::nop});
  for (std::int32_t hop = 1; hop <= line.radius && place + hop < line.length; ++hop) {
    const bool moves = hop == 1 || hop == line.radius;  // relay to root, last to relay
    list = with_command(list, moves ? Command::advance : Command::nop);
  }
  std::size_t count = 0;
  if (commands_text(list).find("ADV") != std::string::npos) output.lists.at(count++) = list;
  const CommandList own = command_list({Command::advance});
  if (positions > 2) output.lists.at(count++) = own;                                        // to last
  if (positions > 2 && line.radius == 1 && place % 2 == 0) output.lists.at(count++) = own;  // and, in the end, to root
  if (count > 0) output.ending = Ending::commands;
  return output;
}

/// The places whose blocks come to a place, in the order of turns.
inline std::vector<std::int32_t> localized_roots(const LocalizedLine& line, std::int32_t place) {
  std::vector<std::int32_t> roots;
  for (std::int32_t turn = 0; turn < line.turns(); ++turn) {
    for (std::int32_t s = std::max(0, place - line.radius); s <= place; ++s) {
      if (s % line.turns() == turn) roots.push_back(s);
    }
  }
  return roots;
}

/// A row whose PEs send blocks eastwards. What comes from distance d, the block of turn k, is stored at block k * (radius + 1) + d.
inline WaferProgram localized_program(std::int32_t width, std::int32_t radius, std::int64_t words,
                                      std::int64_t blocks) {
  const LocalizedLine line{.length = width, .radius = radius};
  WaferProgram program;
  program.machine = wafer(width);
  program.colors = {5};
  const std::int64_t all = blocks * line.turns() * words;
  program.extent = {all, all, 0};
  program.contracts = {{.collective = Collective::allreduce, .count = all}};  // all hold the input and have a result
  const auto add = [&](ProcessorClass& c, std::int32_t lane, Range elements) -> Operation& {
    Operation& o = c.operations.emplace_back();
    o.lane = lane;
    o.elements = o.own_elements = o.store_elements = o.sent_elements = program.spans.add(elements);
    return o;
  };
  for (std::int32_t place = 0; place < width; ++place) {
    ProcessorClass& c = program.classes.emplace_back();
    c.routes = {localized_route(line, place)};
    for (std::int64_t k = 0; k < blocks; ++k) {
      if (begins_with_advance(line, place)) {
        add(c, 0, {}).outputs = {{.ending = Ending::commands, .lists = {command_list({Command::advance})}}};
      }
      Operation& sends = add(c, 0, {k * words, words});
      sends.operands = {kOwnOperand};
      sends.own = Buffer::input;
      sends.outputs = {localized_output(line, place)};
    }
    for (std::int64_t k = 0; k < blocks; ++k) {
      for (const std::int32_t root : localized_roots(line, place)) {
        Operation& takes = add(c, 1, {(k * line.turns() + place - root) * words, words});
        takes.operands = {line.color};
        takes.store = Buffer::output;
      }
    }
    program.class_of.push_back(place);
    program.contracts[0].ranks.push_back(place);
  }
  return program;
}

}  // namespace muster::wafer::test
