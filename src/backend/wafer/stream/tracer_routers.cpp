// What routers do with messages: take those that their position accepts, forward them, and move their switches.
#include <bit>

#include "backend/wafer/stream/tracer.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

/// About 10 GB with their times.
constexpr std::int64_t kMostTransits = 100'000'000;

}  // namespace

void Tracer::arrive(std::int32_t cell, const Pending& pending) {
  std::int32_t id = free_pending_;
  if (id == kNone) {
    id = static_cast<std::int32_t>(pool_.size());
    pool_.push_back(pending);
  } else {
    free_pending_ = pool_[at(id)].next;
    pool_[at(id)] = pending;
  }
  CellState& state = states_[at(cell)];
  (state.first_pending == kNone ? state.first_pending : pool_[at(state.last_pending)].next) = id;
  state.last_pending = id;
  ready_cells_.push_back(cell);
}

/// The first message from a side that the position takes from.
bool Tracer::take_pending(std::int32_t cell, Pending& taken) {
  CellState& state = states_[at(cell)];
  const Directions from = cells_.route(cell).positions[state.position].from;
  std::int32_t before = kNone;
  for (std::int32_t id = state.first_pending; id != kNone; before = id, id = pool_[at(id)].next) {
    if (!has(from, pool_[at(id)].from)) continue;
    taken = pool_[at(id)];
    (before == kNone ? state.first_pending : pool_[at(before)].next) = taken.next;
    if (state.last_pending == id) state.last_pending = before;
    pool_[at(id)].next = free_pending_;
    free_pending_ = id;
    return true;
  }
  return false;
}

void Tracer::pump(std::int32_t cell) {
  Pending pending;
  while (!trace_.fault && trace_.unsupported.empty() && take_pending(cell, pending)) pass(cell, pending);
}

void Tracer::pass(std::int32_t cell, const Pending& pending) {
  const Position& position = cells_.route(cell).positions[states_[at(cell)].position];
  if (++passed_ > kMostTransits) {
    trace_.unsupported = fmt::format("messages cross more than {} routers", kMostTransits);
    return;
  }
  Pending next{.message = pending.message, .hops = pending.hops + 1};
  const bool delivers = has(position.to, Direction::ramp);
  if (delivers || kept_ == Kept::everything) next.parent = add_transit(cell, pending, position.to);
  if (kept_ == Kept::deliveries) next.before = follow(cell, pending);
  if (position.to == 0) {
    fault("no route", cells_.location(cell),
          fmt::format("position {} accepts {} from {} but has no output", states_[at(cell)].position,
                      message_text(pending.message), direction_name(pending.from)));
    return;
  }
  for (unsigned left = position.to & ~set_of(Direction::ramp); left != 0; left &= left - 1) {
    const Direction d = direction_at(std::countr_zero(left));
    const std::int32_t there = cells_.next(cell, d);
    if (there == kNone) return no_route(cell, d, pending.message);
    next.from = opposite(d);
    arrive(there, next);
  }
  if (delivers) deliver(next.parent);
  obey(cell, pending);
}

std::int32_t Tracer::add_transit(std::int32_t cell, const Pending& pending, Directions to) {
  const auto id = static_cast<std::int32_t>(trace_.transits.size());
  trace_.transits.push_back({.message = pending.message,
                             .cell = cell,
                             .parent = pending.parent,
                             .order = static_cast<std::int32_t>(trace_.order.size()),
                             .from = pending.from,
                             .to = to});
  if (kept_ == Kept::everything) {
    trace_.order.push_back(id);
    link(id);
  } else {
    trace_.transits.back().parent = kNone;
    trace_.hops.push_back(pending.hops);
  }
  return id;
}

/// What is kept of a message that passes instead of its transit. Returns the message before it.
std::int32_t Tracer::follow(std::int32_t cell, const Pending& pending) {
  CellState& state = states_[at(cell)];
  const std::int32_t before = state.last;
  if (before != kNone && before != pending.message && before != pending.before) {
    trace_.followers.push_back({.message = pending.message, .before = before});
  }
  state.last = pending.message;
  state.seen |= set_of(pending.from);
  return before;
}

/// Puts a transit after those before it: in its cell, its queue and its message.
void Tracer::link(std::int32_t id) {
  Transit& transit = trace_.transits[at(id)];
  CellState& state = states_[at(transit.cell)];
  transit.before = state.last;
  if (state.last != kNone) trace_.transits[at(state.last)].after = id;
  state.last = id;
  std::int32_t& queue_last = queue_last_[at(transit.cell)][at(index_of(transit.from))];
  transit.queue_before = queue_last;
  if (queue_last != kNone) trace_.transits[at(queue_last)].queue_after = id;
  queue_last = id;
  if (transit.parent == kNone) {
    trace_.messages[at(transit.message)].source = id;
  } else {
    Transit& parent = trace_.transits[at(transit.parent)];
    transit.sibling = parent.child;
    parent.child = id;
  }
}

void Tracer::deliver(std::int32_t id) {
  Transit& transit = trace_.transits[at(id)];
  Message& message = trace_.messages[at(transit.message)];
  CellState& state = states_[at(transit.cell)];
  transit.delivered_before = state.delivered_last;
  if (message.words == 0) return;
  ++message.takers;
  state.here += message.words;
  if (state.delivered_last != kNone) trace_.transits[at(state.delivered_last)].delivered_after = id;
  state.delivered_last = id;
  if (state.delivered_next == kNone) state.delivered_next = id;
  ready_nodes_.push_back(cells_.router(transit.cell));
}

void Tracer::obey(std::int32_t cell, const Pending& pending) {
  const Message& message = trace_.messages[at(pending.message)];
  CellState& state = states_[at(cell)];
  const ColorRoute& route = cells_.route(cell);
  const bool last = state.position + 1 >= route.count;
  if (message.ending == Ending::reset) {
    obey_reset(cell, pending);
  } else if (advances(message, pending.from, pending.hops) && (!last || route.ring)) {
    const bool is_aimed = message.ending == Ending::commands && pending.hops == 0;
    if (message.words == 0 && route.count > 1 && !is_aimed) note_overshoot(cell, pending);
    state.position = last ? std::uint8_t{0} : static_cast<std::uint8_t>(state.position + 1);
  }
  if (message.words > 0) {
    state.last_data = pending.message;
    state.last_data_from = pending.from;
  }
}

void Tracer::obey_reset(std::int32_t cell, const Pending& pending) {
  CellState& state = states_[at(cell)];
  const ColorRoute& route = cells_.route(cell);
  if (route.ring) {
    fault("reset out of order", cells_.location(cell),
          fmt::format("the reset of {} passes a ring of switch positions, which only an advance moves",
                      message_text(pending.message)));
  } else if (state.position + 1 < route.count) {
    fault("reset out of order", cells_.location(cell),
          fmt::format("the reset of {} passes in position {}, before the last position {}",
                      message_text(pending.message), state.position, route.count - 1));
  }
  state.position = 0;
}

}  // namespace muster::wafer
