// Runs a program message by message. Every cell takes what its position accepts, every processor runs what it has the
// operands for; in which order they are looked at does not matter.
#include "backend/wafer/stream/tracer.h"

#include <algorithm>
#include <bit>

#include "base/index.h"

namespace muster::wafer {
namespace {

/// About 10 GB with their times.
constexpr std::size_t kMostTransits = 100'000'000;

}  // namespace

Tracer::Tracer(const Cells& cells, int calls)
    : cells_(cells),
      program_(cells.program()),
      calls_(calls),
      states_(at(cells.count())),
      call_(program_.class_of.size(), 0),
      first_lane_(call_.size(), 0),
      finished_(call_.size()) {
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    const ClassShape& shape = cells_.shape(node);
    first_lane_[at(node)] = static_cast<std::int32_t>(lanes_.size());
    lanes_.resize(lanes_.size() + at(shape.lanes()));
    if (shape.lanes() == 0) call_[at(node)] = calls_;
    begin_call(node);
  }
}

Trace Tracer::run() {
  check_classes();
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    ready_nodes_.push_back(node);
    while (!trace_.fault && trace_.unsupported.empty()) {
      if (!ready_cells_.empty()) {
        const std::int32_t cell = ready_cells_.back();
        ready_cells_.pop_back();
        pump(cell);
      } else if (!ready_nodes_.empty()) {
        const NodeId ready = ready_nodes_.back();
        ready_nodes_.pop_back();
        run_node(ready);
      } else {
        break;
      }
    }
  }
  if (!trace_.fault && trace_.unsupported.empty()) check_the_end();
  return std::move(trace_);
}

// --- processors

void Tracer::run_node(NodeId node) {
  const std::int32_t lanes = cells_.shape(node).lanes();
  while (!done(node)) {
    bool progress = false;
    for (std::int32_t l = 0; l < lanes; ++l) progress |= run_lane(node, l);
    if (call_is_over(node)) {
      ++call_[at(node)];
      begin_call(node);
    } else if (!progress) {
      return;
    }
  }
}

bool Tracer::call_is_over(NodeId node) const {
  const ClassShape& shape = cells_.shape(node);
  for (std::int32_t l = 0; l < shape.lanes(); ++l) {
    if (lanes_[at(first_lane_[at(node)] + l)].operation < shape.lane_first[at(l) + 1]) return false;
  }
  return true;
}

void Tracer::begin_call(NodeId node) {
  const ClassShape& shape = cells_.shape(node);
  for (std::int32_t l = 0; l < shape.lanes(); ++l) {
    LaneTrace& lane = lanes_[at(first_lane_[at(node)] + l)];
    lane = {.operation = shape.lane_first[at(l)], .last = lane.last};
  }
  if (shape.has_waits) finished_[at(node)].assign(shape.operations.size(), 0);
}

/// True if the lane came forward.
bool Tracer::run_lane(NodeId node, std::int32_t index) {
  const ClassShape& shape = cells_.shape(node);
  LaneTrace& lane = lanes_[at(first_lane_[at(node)] + index)];
  bool progress = false;
  while (lane.operation < shape.lane_first[at(index) + 1] && !trace_.fault && trace_.unsupported.empty()) {
    const std::int32_t operation = lane.operation;
    const OperationShape& o = shape.operations[at(operation)];
    if (!may_begin(node, o)) return progress;
    if (o.exchange) {
      progress |= !lane.sent;
      if (!run_exchange(node, lane, o, operation)) return progress;
    } else {
      if (!operands_here(node, o)) return progress;
      const std::int32_t execution = execute(node, lane, operation, Execution::Kind::work);
      take_operands(execution, o);
      send(execution, o, o.count);
    }
    next_operation(node, lane, operation, o.operation->times);
    if (lane.operation == shape.lane_first[at(index) + 1]) trace_.executions[at(lane.last)].last_of_call = true;
    progress = true;
  }
  return progress;
}

/// True if it is over. What it sends is old, so it sends before it has anything to take.
bool Tracer::run_exchange(NodeId node, LaneTrace& lane, const OperationShape& o, std::int32_t operation) {
  if (!lane.sent) {
    send(execute(node, lane, operation, Execution::Kind::send), o, o.sent_count);
    lane.sent = true;
  }
  if (!operands_here(node, o)) return false;
  const std::int32_t sender = lane.last;
  const std::int32_t taker = execute(node, lane, operation, Execution::Kind::take);
  trace_.executions[at(taker)].first_message = trace_.executions[at(sender)].first_message;
  trace_.executions[at(taker)].message_count = trace_.executions[at(sender)].message_count;
  take_operands(taker, o);
  return true;
}

bool Tracer::may_begin(NodeId node, const OperationShape& o) const {
  const auto& finished = finished_[at(node)];
  return std::all_of(o.operation->after.begin(), o.operation->after.end(),
                     [&](std::int32_t other) { return finished[at(other)] != 0; });
}

bool Tracer::operands_here(NodeId node, const OperationShape& o) {
  if (o.count == 0) return true;
  return std::all_of(o.operand_slots.begin(), o.operand_slots.end(), [&](std::int32_t slot) {
    const std::int32_t transit = slot == kNone ? kNone : states_[at(cells_.first(node) + slot)].delivered_next;
    if (transit == kNone) return false;
    const std::int32_t words = trace_.messages[at(trace_.transits[at(transit)].message)].words;
    if (words != o.count) {
      trace_.unsupported = fmt::format("{}: an operation takes {} words of a message of {}",
                                       cells_.place(cells_.first(node) + slot), o.count, words);
    }
    return words == o.count;
  });
}

std::int32_t Tracer::execute(NodeId node, LaneTrace& lane, std::int32_t operation, Execution::Kind kind) {
  const auto id = static_cast<std::int32_t>(trace_.executions.size());
  if (lane.last != kNone) trace_.executions[at(lane.last)].after = id;
  trace_.executions.push_back({.node = node,
                               .operation = operation,
                               .call = call_[at(node)],
                               .before = lane.last,
                               .first_take = static_cast<std::int32_t>(trace_.takes.size()),
                               .first_message = static_cast<std::int32_t>(trace_.messages.size()),
                               .order = static_cast<std::int32_t>(trace_.order.size()),
                               .kind = kind});
  trace_.order.push_back(~id);
  lane.last = id;
  return id;
}

void Tracer::take_operands(std::int32_t id, const OperationShape& o) {
  if (o.count == 0) return;
  Execution& execution = trace_.executions[at(id)];
  for (const std::int32_t slot : o.operand_slots) {
    CellState& state = states_[at(cells_.first(execution.node) + slot)];
    Transit& transit = trace_.transits[at(state.delivered_next)];
    transit.taker = id;
    trace_.takes.push_back(state.delivered_next);
    ++execution.take_count;
    state.delivered_next = transit.delivered_after;
  }
}

void Tracer::send(std::int32_t id, const OperationShape& o, std::int32_t words) {
  const NodeId node = trace_.executions[at(id)].node;
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    const Output& output = o.operation->outputs[i];
    const Message message{.execution = id,
                          .words = words,
                          .color = output.color,
                          .output = static_cast<std::int8_t>(i),
                          .ending = output.ending};
    if (message.wavelets() == 0) continue;
    const auto index = static_cast<std::int32_t>(trace_.messages.size());
    trace_.messages.push_back(message);
    ++trace_.executions[at(id)].message_count;
    const std::int32_t slot = o.output_slots[i];
    if (slot == kNone || !accepts_ever(cells_.route(cells_.first(node) + slot), Direction::ramp)) {
      fault("no route",
            fmt::format("{}, color {}", place_text(program_.mesh(), node), program_.colors[at(output.color)]),
            "the processor sends on a color that its router does not take from the ramp");
      return;
    }
    arrive(cells_.first(node) + slot, {.message = index, .from = Direction::ramp});
  }
}

void Tracer::next_operation(NodeId node, LaneTrace& lane, std::int32_t operation, std::int32_t times) {
  const bool again = ++lane.time < times;
  if (!again && !finished_[at(node)].empty()) finished_[at(node)][at(operation)] = 1;
  lane = {.operation = again ? operation : operation + 1, .time = again ? lane.time : 0, .last = lane.last};
}

// --- routers

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
  const auto id = static_cast<std::int32_t>(trace_.transits.size());
  if (trace_.transits.size() == kMostTransits) {
    trace_.unsupported = fmt::format("messages pass more than {} routers", kMostTransits);
    return;
  }
  trace_.transits.push_back({.message = pending.message,
                             .cell = cell,
                             .parent = pending.parent,
                             .order = static_cast<std::int32_t>(trace_.order.size()),
                             .from = pending.from,
                             .to = position.to});
  trace_.order.push_back(id);
  link(id);
  bool routed = position.to != 0;
  for (unsigned left = position.to & ~set_of(Direction::ramp); left != 0; left &= left - 1) {
    const Direction d = direction_at(std::countr_zero(left));
    const std::int32_t next = cells_.next(cell, d);
    routed &= next != kNone;
    if (routed) arrive(next, {.message = pending.message, .parent = id, .from = opposite(d)});
  }
  if (!routed) {
    fault("no route", cells_.place(cell),
          fmt::format("position {} sends {} to {}, where nothing takes this color", states_[at(cell)].position,
                      message_text(pending.message), directions_text(position.to)));
    return;
  }
  if (has(position.to, Direction::ramp)) deliver(id);
  obey(cell, id);
}

/// Puts a transit behind those before it: in its cell, its queue and its message.
void Tracer::link(std::int32_t id) {
  Transit& transit = trace_.transits[at(id)];
  CellState& state = states_[at(transit.cell)];
  transit.before = state.last;
  if (state.last != kNone) trace_.transits[at(state.last)].after = id;
  state.last = id;
  std::int32_t& queue_last = state.queue_last[at(index_of(transit.from))];
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
  if (state.delivered_last != kNone) trace_.transits[at(state.delivered_last)].delivered_after = id;
  state.delivered_last = id;
  if (state.delivered_next == kNone) state.delivered_next = id;
  ready_nodes_.push_back(cells_.router(transit.cell));
}

void Tracer::obey(std::int32_t cell, std::int32_t id) {
  const Transit& transit = trace_.transits[at(id)];
  const Message& message = trace_.messages[at(transit.message)];
  CellState& state = states_[at(cell)];
  const std::uint8_t count = cells_.route(cell).count;
  const bool last = state.position + 1 >= count;
  if (message.ending == Ending::reset) {
    if (!last) {
      fault("reset out of order", cells_.place(cell),
            fmt::format("the reset of {} passes in position {}, before the last position {}",
                        message_text(transit.message), state.position, count - 1));
    }
    state.position = 0;
  } else if (message.ending == Ending::advance) {
    if (last) return;
    if (message.words == 0) note_overshoot(cell, id);
    ++state.position;
  } else if (message.ending == Ending::advance_own && transit.from == Direction::ramp && !last) {
    ++state.position;
  }
}

Trace trace_messages(const Cells& cells, int calls) { return Tracer(cells, std::max(1, calls)).run(); }

}  // namespace muster::wafer
