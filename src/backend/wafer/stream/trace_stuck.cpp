// What waits when nothing can continue, and which of it comes first: what waits for something that will never come explains
// the rest.
#include <algorithm>
#include <bit>

#include "backend/wafer/stream/tracer.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr std::size_t kMostReported = 8;

/// Whether one more line is shown; what waits forever has lines of its own.
bool shows_more(const std::vector<Waiting>& found, bool forever) {
  const auto same = std::count_if(found.begin(), found.end(), [&](const Waiting& w) { return w.forever == forever; });
  return static_cast<std::size_t>(same) <= kMostReported;
}

/// "position 0 takes from east, position 1 from ramp".
std::string inputs_text(const ColorRoute& route) {
  std::string text;
  for (std::uint8_t p = 0; p < route.count; ++p) {
    text += fmt::format("{}position {}{} from {}", p == 0 ? "" : ", ", p, p == 0 ? " takes" : "",
                        directions_text(route.positions[p].from));
  }
  return text;
}

/// The sides that a router can deliver to its processor from.
Directions delivers_from(const ColorRoute& route) {
  Directions from = 0;
  for (std::uint8_t p = 0; p < route.count; ++p) {
    if (has(route.positions[p].to, Direction::ramp)) from |= route.positions[p].from;
  }
  return from;
}

}  // namespace

/// What leaves a router and is not taken by the next one: the location is where it comes in.
void Tracer::no_route(std::int32_t cell, Direction d, std::int32_t message) {
  const NodeId there = neighbour(program_.mesh(), cells_.router(cell), d);
  if (there == kOutside) {
    fault("no route", cells_.location(cell),
          fmt::format("position {} sends {} to {}, out of the grid", states_[at(cell)].position, message_text(message),
                      direction_name(d)));
    return;
  }
  const ClassShape& shape = cells_.shape(there);
  const std::int8_t color = cells_.route(cell).color;
  const std::int32_t slot = shape.slot_of[at(color)];
  fault("no route", fmt::format("{}, color {}", pe_text(program_.mesh(), there), program_.colors[at(color)]),
        fmt::format("{} comes in from {}; {}", message_text(message), direction_name(opposite(d)),
                    slot == kNone ? "this router has no route for the color" : inputs_text(*shape.routes[at(slot)])));
}

/// Whether the switch was told to advance by what passed here.
bool Tracer::has_advanced(std::int32_t transit) const {
  const Transit& here = trace_.transits[at(transit)];
  std::int32_t hops = 0;
  for (std::int32_t t = here.parent; t != kNone; t = trace_.transits[at(t)].parent) ++hops;
  return advances(trace_.messages[at(here.message)], here.from, hops);
}

/// Whether a message waits for a position that the switch has left for good: then a control wavelet has moved it too early.
std::optional<Fault> Tracer::overshot(std::int32_t cell, const Pending& pending) const {
  const ColorRoute& route = cells_.route(cell);
  const std::uint8_t now = states_[at(cell)].position;
  if (route.ring) return {};
  std::uint8_t wanted = 0;
  while (wanted < now && !has(route.positions[wanted].from, pending.from)) ++wanted;
  const bool comes_again = std::any_of(route.positions.begin() + now, route.positions.begin() + route.count,
                                       [&](const Position& p) { return has(p.from, pending.from); });
  if (wanted == now || comes_again) return {};
  std::int32_t mover = states_[at(cell)].last;
  while (mover != kNone && !has_advanced(mover)) mover = trace_.transits[at(mover)].before;
  if (mover == kNone) return {};
  return Fault{.kind = "overshoot",
               .location = cells_.location(cell),
               .cycle = Cycles(0),
               .message = fmt::format("the advance of {} has moved this switch from position {} to {}, and {} from {} "
                                      "still needs position {}",
                                      message_text(trace_.transits[at(mover)].message), wanted, now,
                                      message_text(pending.message), direction_name(pending.from), wanted)};
}

/// Of each cell, the sides from which something may still come: what processors have still to send and what waits in
/// routers, wherever any position would lead it.
std::vector<Directions> Tracer::still_coming() const {
  std::vector<Directions> coming(states_.size(), 0);
  std::vector<std::pair<std::int32_t, Direction>> ahead;
  const auto comes = [&](std::int32_t cell, Direction from) {
    if (cell == kNone || has(coming[at(cell)], from)) return;
    coming[at(cell)] |= set_of(from);
    ahead.emplace_back(cell, from);
  };
  const auto goes_on = [&](std::int32_t cell, Direction from) {
    const ColorRoute& route = cells_.route(cell);
    for (std::uint8_t p = 0; p < route.count; ++p) {
      if (!has(route.positions[p].from, from)) continue;
      for (unsigned left = route.positions[p].to & ~set_of(Direction::ramp); left != 0; left &= left - 1) {
        const Direction d = direction_at(std::countr_zero(left));
        comes(cells_.next(cell, d), opposite(d));
      }
    }
  };
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    const ClassShape& shape = cells_.shape(node);
    for (std::int32_t l = 0; l < shape.lanes() && !done(node); ++l) {
      const LaneTrace& lane = lanes_[at(first_lane_[at(node)] + l)];
      for (std::int32_t o = lane.operation; o < shape.lane_first[at(l) + 1]; ++o) {
        if (o == lane.operation && lane.sent) continue;
        for (const std::int32_t slot : shape.operations[at(o)].output_slots) {
          if (slot != kNone) comes(cells_.first(node) + slot, Direction::ramp);
        }
      }
    }
    for (std::int32_t cell = cells_.first(node); cell < cells_.end(node); ++cell) {
      for (std::int32_t p = states_[at(cell)].first_pending; p != kNone; p = pool_[at(p)].next) {
        goes_on(cell, pool_[at(p)].from);
      }
    }
  }
  while (!ahead.empty()) {
    const auto [cell, from] = ahead.back();
    ahead.pop_back();
    goes_on(cell, from);
  }
  return coming;
}

/// Messages in routers whose position does not take them. If nothing comes from the side that it takes from, it stays.
void Tracer::add_waiting_messages(const std::vector<Directions>& coming, std::vector<Waiting>& found) const {
  for (std::int32_t cell = 0; cell < cells_.count(); ++cell) {
    const std::uint8_t now = states_[at(cell)].position;
    const Position& position = cells_.route(cell).positions[now];
    const bool forever = (coming[at(cell)] & position.from) == 0;
    for (std::int32_t p = states_[at(cell)].first_pending; p != kNone; p = pool_[at(p)].next) {
      if (!shows_more(found, forever)) break;
      found.push_back({cells_.location(cell),
                       fmt::format("{} from {} waits; position {} accepts from {} and sends to {}{}",
                                   message_text(pool_[at(p)].message), direction_name(pool_[at(p)].from), now,
                                   directions_text(position.from), directions_text(position.to),
                                   forever ? ", and nothing more will come from there" : ""),
                       forever});
    }
  }
}

void Tracer::add_waiting_operation(NodeId node, const LaneTrace& lane, const std::vector<Directions>& coming,
                                   std::vector<Waiting>& found) const {
  const OperationShape& o = cells_.shape(node).operations[at(lane.operation)];
  const std::string location = pe_text(program_.mesh(), node);
  for (const std::int32_t other : o.operation->after) {
    if (finished_[at(node)][at(other)] != 0 || !shows_more(found, false)) continue;
    found.push_back({location, fmt::format("operation {} waits for operation {}", lane.operation, other)});
    return;
  }
  std::size_t operand = 0;
  for (const std::int8_t color : o.operation->operands) {
    if (color == kOwnOperand) continue;
    const std::int32_t slot = o.operand_slots[operand++];
    const std::int32_t cell = slot == kNone ? kNone : cells_.first(node) + slot;
    const std::int64_t here = cell == kNone ? 0 : states_[at(cell)].here;
    const std::int32_t wanted = o.count - lane.handled;
    if (here >= wanted) continue;
    const bool forever = cell == kNone || (coming[at(cell)] & delivers_from(cells_.route(cell))) == 0;
    if (!shows_more(found, forever)) continue;
    found.push_back({fmt::format("{}, color {}", location, program_.colors[at(color)]),
                     fmt::format("operation {} waits for {} words, of which {} have come{}", lane.operation, wanted,
                                 here, forever ? ", and no more will be sent" : ""),
                     forever});
  }
}

void Tracer::add_waiting_operations(const std::vector<Directions>& coming, std::vector<Waiting>& found) const {
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    const ClassShape& shape = cells_.shape(node);
    for (std::int32_t l = 0; l < shape.lanes() && !done(node); ++l) {
      const LaneTrace& lane = lanes_[at(first_lane_[at(node)] + l)];
      if (lane.operation < shape.lane_first[at(l) + 1]) add_waiting_operation(node, lane, coming, found);
    }
  }
}

void Tracer::add_left_over(std::vector<Waiting>& found) const {
  for (std::int32_t cell = 0; cell < cells_.count() && shows_more(found, false); ++cell) {
    const CellState& state = states_[at(cell)];
    if (state.delivered_next == kNone) continue;
    const std::int32_t message = trace_.transits[at(state.delivered_next)].message;
    const std::string part =
        state.taken == 0 ? "" : fmt::format("the last {} words of ", trace_.messages[at(message)].words - state.taken);
    found.push_back({cells_.location(cell), fmt::format("{}{} wait{} at the processor", part, message_text(message),
                                                        part.empty() ? "s" : "")});
  }
}

std::optional<Fault> Tracer::stuck() const {
  bool unfinished = false;
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) unfinished |= !done(node);
  for (std::int32_t cell = 0; cell < cells_.count(); ++cell) {
    for (std::int32_t p = states_[at(cell)].first_pending; p != kNone; p = pool_[at(p)].next) {
      if (auto early = overshot(cell, pool_[at(p)])) return early;
    }
  }
  std::vector<Waiting> found;
  const std::vector<Directions> coming = still_coming();
  add_waiting_messages(coming, found);
  add_waiting_operations(coming, found);
  add_left_over(found);
  if (found.empty()) return {};
  std::stable_partition(found.begin(), found.end(), [](const Waiting& w) { return w.forever; });
  std::string text;
  for (std::size_t i = 0; i < found.size() && i < kMostReported; ++i) {
    text += fmt::format("{}{}: {}", i == 0 ? "" : "\n", found[i].location, found[i].text);
  }
  if (found.size() > kMostReported) text += "\nand more";
  return Fault{.kind = unfinished ? "deadlock" : "left over",
               .location = found.front().location,
               .cycle = Cycles(0),
               .message = text};
}

}  // namespace muster::wafer
