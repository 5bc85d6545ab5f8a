// Runs a program message by message. Every cell takes what its position accepts, every processor runs what it has the
// operands for; in which order they are looked at does not matter. Here: processors.
#include "backend/wafer/stream/tracer.h"

#include <algorithm>

#include "base/index.h"

namespace muster::wafer {

namespace {

constexpr std::int64_t kMostReserved = 1 << 24;  ///< a program that says more may be wrong and stop soon

struct RunCounts {
  std::int64_t executions = 0;
  std::int64_t messages = 0;
  std::int64_t takes = 0;
};

/// Of one call on a processor of a class.
RunCounts run_counts(const ClassShape& shape) {
  RunCounts counts;
  for (const OperationShape& o : shape.operations) {
    const std::int64_t times = std::clamp<std::int64_t>(o.operation->times, 0, kMostReserved);
    counts.executions += times * (o.exchange ? 2 : 1);
    for (const Output& output : o.operation->outputs) {
      counts.messages += times * std::max<std::int64_t>(1, static_cast<std::int64_t>(output.controls()));
    }
    counts.takes += times * std::ssize(o.operand_slots);
  }
  return counts;
}

/// So that millions of entries are not moved again and again.
template <class Entry>
void reserve(std::vector<Entry>& entries, std::int64_t count) {
  entries.reserve(at(std::min(count, kMostReserved)));
}

}  // namespace

Tracer::Tracer(const Cells& cells, int calls, Kept kept)
    : cells_(cells),
      program_(cells.program()),
      calls_(calls),
      kept_(kept),
      states_(at(cells.count())),
      call_(program_.class_of.size(), 0),
      first_lane_(call_.size(), 0) {
  if (kept == Kept::everything) {
    queue_last_.assign(states_.size(), QueueEnds{kNone, kNone, kNone, kNone, kNone});
  }
  if (cells.has_waits()) finished_.resize(call_.size());
  std::size_t lanes = 0;
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) lanes += at(cells_.shape(node).lanes());
  lanes_.reserve(lanes);
  reserve_entries();
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    const ClassShape& shape = cells_.shape(node);
    first_lane_[at(node)] = static_cast<std::int32_t>(lanes_.size());
    lanes_.resize(lanes_.size() + at(shape.lanes()));
    if (shape.lanes() == 0) call_[at(node)] = calls_;
    begin_call(node);
  }
}

void Tracer::reserve_entries() {
  std::vector<RunCounts> of_class;
  for (std::size_t c = 0; c < program_.classes.size(); ++c) of_class.push_back(run_counts(cells_.shape_of_class(c)));
  RunCounts all;
  for (const std::int32_t c : program_.class_of) {
    all.executions = std::min(all.executions + of_class[at(c)].executions, kMostReserved);
    all.messages = std::min(all.messages + of_class[at(c)].messages, kMostReserved);
    all.takes = std::min(all.takes + of_class[at(c)].takes, kMostReserved);
  }
  reserve(trace_.executions, all.executions * calls_);
  reserve(trace_.messages, all.messages * calls_);
  reserve(trace_.takes, all.takes * calls_);
  reserve(trace_.take_words, all.takes * calls_);
  if (kept_ != Kept::deliveries) return;
  reserve(trace_.transits, std::max(all.messages, all.takes) * calls_);  // mostly, each message goes to one processor
  reserve(trace_.hops, std::max(all.messages, all.takes) * calls_);
}

Trace Tracer::run() {
  check_classes();
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    ready_nodes_.push_back(node);
    run_until_quiet();
  }
  while (run_parts()) run_until_quiet();
  if (!trace_.fault && trace_.unsupported.empty()) check_the_end();
  return std::move(trace_);
}

void Tracer::run_until_quiet() {
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
      return;
    }
  }
}

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
      if (words_here(node, o) < o.count - lane.handled) return progress;
      work(node, lane, operation, o.count - lane.handled);
    }
    next_operation(node, lane, operation, o.operation->times);
    if (lane.operation == shape.lane_first[at(index) + 1]) trace_.executions[at(lane.last)].last_of_call = true;
    progress = true;
  }
  return progress;
}

/// Takes so many elements of each operand and sends what comes of them.
void Tracer::work(NodeId node, LaneTrace& lane, std::int32_t operation, std::int32_t words) {
  const OperationShape& o = cells_.shape(node).operations[at(operation)];
  const std::int32_t execution = execute(node, lane, operation, Execution::Kind::work);
  take_operands(execution, o, words);
  lane.handled += words;
  send(execution, o, words, lane.handled == o.count);
}

/// Where nothing can continue, operations that forward what they take begin with what is there: someone may wait for just
/// that, and send the rest. True if one of them did.
bool Tracer::run_parts() {
  bool progress = false;
  for (NodeId node = 0; node < static_cast<NodeId>(call_.size()); ++node) {
    const ClassShape& shape = cells_.shape(node);
    for (std::int32_t l = 0; l < shape.lanes() && !trace_.fault && trace_.unsupported.empty(); ++l) {
      LaneTrace& lane = lanes_[at(first_lane_[at(node)] + l)];
      if (done(node) || lane.operation == shape.lane_first[at(l) + 1]) continue;
      const OperationShape& o = shape.operations[at(lane.operation)];
      if (o.exchange || o.output_slots.empty() || !may_begin(node, o)) continue;
      const std::int64_t words = words_here(node, o);
      if (words == 0 || words >= o.count - lane.handled) continue;
      work(node, lane, lane.operation, static_cast<std::int32_t>(words));
      progress = true;
    }
  }
  return progress && !trace_.fault && trace_.unsupported.empty();
}

/// True if it is over. What it sends is old, so it sends before it has anything to take.
bool Tracer::run_exchange(NodeId node, LaneTrace& lane, const OperationShape& o, std::int32_t operation) {
  if (!lane.sent) {
    send(execute(node, lane, operation, Execution::Kind::send), o, o.sent_count);
    lane.sent = true;
  }
  if (words_here(node, o) < o.count) return false;
  const std::int32_t sender = lane.last;
  const std::int32_t taker = execute(node, lane, operation, Execution::Kind::take);
  trace_.executions[at(taker)].first_message = trace_.executions[at(sender)].first_message;
  trace_.executions[at(taker)].message_count = trace_.executions[at(sender)].message_count;
  take_operands(taker, o, o.count);
  return true;
}

bool Tracer::may_begin(NodeId node, const OperationShape& o) const {
  if (o.operation->after.empty()) return true;
  const auto& finished = finished_[at(node)];
  return std::all_of(o.operation->after.begin(), o.operation->after.end(),
                     [&](std::int32_t other) { return finished[at(other)] != 0; });
}

/// How many elements of each operand have come.
std::int64_t Tracer::words_here(NodeId node, const OperationShape& o) const {
  std::int64_t least = o.count;
  for (const std::int32_t slot : o.operand_slots) {
    least = std::min(least, slot == kNone ? 0 : states_[at(cells_.first(node) + slot)].here);
  }
  return least;
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
  if (kept_ == Kept::everything) trace_.order.push_back(~id);
  lane.last = id;
  return id;
}

void Tracer::take_operands(std::int32_t id, const OperationShape& o, std::int32_t words) {
  if (words == 0) return;
  for (const std::int32_t slot : o.operand_slots) take(id, cells_.first(trace_.executions[at(id)].node) + slot, words);
}

/// The next words of a color: one message, a part of one, or several.
void Tracer::take(std::int32_t id, std::int32_t cell, std::int32_t words) {
  CellState& state = states_[at(cell)];
  state.here -= words;
  for (std::int32_t left = words; left > 0;) {
    Transit& transit = trace_.transits[at(state.delivered_next)];
    const std::int32_t size = trace_.messages[at(transit.message)].words;
    const std::int32_t part = std::min(left, size - state.taken);
    if ((part != size || part != words) && trace_.parts.empty()) {
      trace_.parts =
          fmt::format("{}: an operation takes {} words where a message has {}", cells_.location(cell), words, size);
    }
    transit.taker = id;
    trace_.takes.push_back(state.delivered_next);
    trace_.take_words.push_back(part);
    ++trace_.executions[at(id)].take_count;
    left -= part;
    state.taken += part;
    if (state.taken < size) continue;
    state.delivered_next = transit.delivered_after;
    state.taken = 0;
  }
}

/// `to_its_end`: not the first part of a run; control wavelets follow the last one.
void Tracer::send(std::int32_t id, const OperationShape& o, std::int32_t words, bool to_its_end) {
  for (std::size_t i = 0; i < o.output_slots.size(); ++i) {
    const Output& output = o.operation->outputs[i];
    const std::size_t lists = to_its_end && output.ending == Ending::commands ? output.controls() : 0;
    Message message{.execution = id,
                    .words = words,
                    .color = output.color,
                    .output = static_cast<std::int8_t>(i),
                    .ending = to_its_end ? output.ending : Ending::nothing};
    if (message.ending == Ending::commands && lists == 0) message.ending = Ending::nothing;
    for (std::size_t list = 0; list < std::max<std::size_t>(1, lists); ++list) {
      if (lists > 0) message.commands = output.lists.at(list);
      if (message.wavelets() > 0 && !send_message(message, o.output_slots[i])) return;
      message.words = 0;
    }
  }
}

/// False if there is no way into the router.
bool Tracer::send_message(const Message& message, std::int32_t slot) {
  const NodeId node = trace_.executions[at(message.execution)].node;
  const auto index = static_cast<std::int32_t>(trace_.messages.size());
  trace_.messages.push_back(message);
  ++trace_.executions[at(message.execution)].message_count;
  if (slot == kNone || !accepts_ever(cells_.route(cells_.first(node) + slot), Direction::ramp)) {
    fault("no route", fmt::format("{}, color {}", pe_text(program_.mesh(), node), program_.colors[at(message.color)]),
          "the processor sends on a color that its router does not accept from the ramp");
    return false;
  }
  arrive(cells_.first(node) + slot, {.message = index, .from = Direction::ramp});
  return true;
}

void Tracer::next_operation(NodeId node, LaneTrace& lane, std::int32_t operation, std::int32_t times) {
  const bool again = ++lane.time < times;
  if (!again && cells_.shape(node).has_waits) finished_[at(node)][at(operation)] = 1;
  lane = {.operation = again ? operation : operation + 1, .time = again ? lane.time : 0, .last = lane.last};
}

Trace trace_messages(const Cells& cells, int calls, Kept kept) { return Tracer(cells, std::max(1, calls), kept).run(); }

}  // namespace muster::wafer
