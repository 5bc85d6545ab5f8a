// The times of operations.
#include <algorithm>

#include "backend/wafer/stream/timing.h"

namespace muster::wafer {

std::string Timing::unsupported() const {
  for (const Execution& execution : trace_.executions) {
    if (cells_.shape(execution.node).lanes() > 1) return "a processor runs several lanes";
    if (shape_of(execution).exchange && shape_of(execution).cost > 1) return "an exchange takes several streams";
  }
  return "";
}

/// Where the lane is when the execution is looked at for the first time.
LaneEnd Timing::start_of(const Execution& execution) const {
  std::int32_t before = execution.before;
  if (execution.kind == Execution::Kind::take) before = trace_.executions[at(before)].before;
  if (before == kNone) return {.known = true};
  LaneEnd start = ends_[at(before)];
  if (trace_.executions[at(before)].last_of_call) start.next = start.finish + 1;
  return start;
}

Question Timing::question(std::int32_t id, std::int32_t count, std::int64_t floor, std::int32_t step) const {
  const Runs old = executions_[id];
  const Runs certain = old.prefix(old.count_before(begin_));
  if (certain.known > 0) floor = certain.last() + step;
  return {.count = count, .floor = std::max(floor, begin_), .step = step, .certain = certain, .end = end_};
}

bool Timing::evaluate_execution(std::int32_t id) {
  const Execution& execution = trace_.executions[at(id)];
  const LaneEnd start = start_of(execution);
  switch (execution.kind) {
    case Execution::Kind::work:
      return evaluate_work(id, start);
    case Execution::Kind::send:
      return evaluate_send(id, start);
    case Execution::Kind::take:
      break;
  }
  return evaluate_take(id, start);
}

bool Timing::evaluate_work(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = trace_.executions[at(id)];
  const OperationShape& shape = shape_of(execution);
  const auto outputs = static_cast<std::int32_t>(shape.output_slots.size());
  const std::int32_t busy = std::max(1, shape.cost);
  const std::int64_t ramp = outputs > 0 ? start.ramp - shape.cost : 0;
  solver_.begin(question(id, shape.count, std::max({start.next, start.datapath, ramp}), std::max(busy, outputs)));
  const std::int32_t arrived = std::min(shape.count, add_operands(execution));
  solver_.limit(start.known ? arrived : 0);
  if (shape.count > 0) add_output_space(execution, shape.cost);
  const Runs used = solver_.solve();
  LaneEnd end = start;
  const bool progress = shape.count > 0;
  end.known = start.known && used.known == shape.count;
  if (end.known && progress) {
    end.finish = used.last();
    end.datapath = used.last() + busy;
    if (outputs > 0) end.ramp = used.last() + shape.cost + outputs;
  }
  const bool late = solver_.late() || execution.take_count != 1;
  const bool changed = store_times(id, used.known < arrived ? kStuck : late ? kLate : kOnTime);
  return finish(id, end, progress) || changed;
}

bool Timing::evaluate_send(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = trace_.executions[at(id)];
  const OperationShape& shape = shape_of(execution);
  const auto outputs = static_cast<std::int32_t>(shape.output_slots.size());
  solver_.begin(
      question(id, shape.sent_count, std::max({start.next, start.datapath, start.ramp}), std::max(1, outputs)));
  solver_.limit(start.known ? shape.sent_count : 0);
  if (shape.sent_count > 0) add_output_space(execution, 0);
  solver_.solve();
  ends_[at(id)].known = true;  // how it ends is known to its other half
  return store_times(id, kLate);
}

bool Timing::evaluate_take(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = trace_.executions[at(id)];
  const OperationShape& shape = shape_of(execution);
  const Runs sent = executions_[execution.before];
  const std::int32_t busy = std::max(1, shape.cost);
  solver_.begin(question(id, shape.count, std::max(start.next, start.datapath), busy));
  const std::int32_t arrived = std::min(shape.count, add_operands(execution));
  solver_.limit(start.known ? arrived : 0);
  if (shape.overwrites) {
    solver_.add_source().add(sent, 0, 1);
    solver_.limit(sent.known);
  }
  if (sent.known > 0) solver_.rivals().add(send_chain_, execution.before);
  const Runs used = solver_.solve();
  LaneEnd end = start;
  end.known = start.known && sent.known == shape.sent_count && used.known == shape.count;
  const bool progress = shape.count > 0 || shape.sent_count > 0;
  if (end.known && progress) {
    end.finish = 0;
    if (sent.known > 0) {
      end.finish = sent.last();
      end.datapath = sent.last() + 1;
      end.ramp = sent.last() + static_cast<std::int64_t>(shape.output_slots.size());
    }
    if (used.known > 0) {
      end.finish = std::max(end.finish, used.last());
      end.datapath = std::max(end.datapath, used.last() + busy);
    }
  }
  const bool changed = store_times(id, used.known < arrived ? kStuck : kLate);
  return finish(id, end, progress) || changed;
}

/// How many elements have all operands at a known time.
std::int32_t Timing::add_operands(const Execution& execution) {
  std::int32_t known = INT32_MAX;
  for (std::int32_t i = 0; i < execution.take_count; ++i) {
    const std::int32_t transit = trace_.takes[at(execution.first_take + i)];
    Runs arrived = transits_[transit];
    arrived.known = std::min(arrived.known, message_of(trace_.transits[at(transit)]).words);
    solver_.add_source().add(arrived, 0, ramp_);
    known = std::min(known, arrived.known);
  }
  return known;
}

void Timing::add_output_space(const Execution& execution, std::int32_t cost) {
  for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
    const Message& message = trace_.messages[at(m)];
    add_queue_space(message.source, out_capacity_);
    solver_.add_throttle(out_capacity_, std::max(1, cost + message.output + ramp_) + 1);
  }
}

bool Timing::store_times(std::int32_t id, Lateness late) {
  const Execution& execution = trace_.executions[at(id)];
  const bool first_look = windowed_ && !was_seen(execution.order);
  if (windowed_) touch(execution.order, solver_.beyond());
  const bool was_late = late_use_[at(id)] != kOnTime;
  late_use_[at(id)] = late;
  const Runs used = solver_.answer();
  const bool changed = !same_times(used, executions_[id]);
  const bool in_the_way = late != kOnTime || was_late || short_buffers_;
  if (changed || (first_look && in_the_way)) mark_takes(execution, in_the_way);
  if (!changed) return false;
  executions_.set(id, used);
  if (execution.kind == Execution::Kind::send && execution.after != kNone) mark_execution(execution.after);
  if (execution.kind == Execution::Kind::take) return true;
  for (std::int32_t m = 0; m < execution.message_count; ++m) {
    mark_transit(trace_.messages[at(execution.first_message + m)].source);
  }
  return true;
}

/// Those who put wavelets in the queues that the execution takes from: of these messages, and of the next ones.
void Timing::mark_takes(const Execution& execution, bool all) {
  for (std::int32_t i = 0; i < execution.take_count; ++i) {
    std::int64_t behind = 0;
    const std::int32_t first = trace_.takes[at(execution.first_take + i)];
    for (std::int32_t t = first; t != kNone && behind < in_capacity_; t = trace_.transits[at(t)].after) {
      const Transit& transit = trace_.transits[at(t)];
      if (has(transit.to, Direction::ramp) && (all || late_[at(t)] != kOnTime)) mark_transit(t);
      if (t != first && has(transit.to, Direction::ramp)) behind += message_of(transit).words;
    }
  }
}

/// Control wavelets behind the data, and the end.
bool Timing::finish(std::int32_t id, LaneEnd end, bool progress) {
  const Execution& execution = trace_.executions[at(id)];
  if (end.known && progress) end.next = end.finish + 1;
  const bool changed = send_controls(id, end, progress);
  if (end.known) end.finish = progress ? end.next - 1 : end.next;
  const LaneEnd old = ends_[at(id)];
  if (end == old || (!end.known && !old.known)) return changed;
  ends_[at(id)] = end;
  if (execution.after == kNone) return true;
  mark_execution(execution.after);
  const Execution& after = trace_.executions[at(execution.after)];
  if (after.kind == Execution::Kind::send && after.after != kNone) mark_execution(after.after);
  return true;
}

/// True if some time changed. A control wavelet behind the window leaves the end unknown.
bool Timing::send_controls(std::int32_t id, LaneEnd& end, bool& progress) {
  const Execution& execution = trace_.executions[at(id)];
  bool changed = false;
  for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
    const Message& message = trace_.messages[at(m)];
    if (!message.has_control()) continue;
    std::int64_t cycle = -1;
    if (end.known) cycle = std::max({end.next, end.ramp, space_for_control(message)});
    if (end.known && (control_at_[at(m)] < 0 || control_at_[at(m)] >= begin_)) cycle = std::max(cycle, begin_);
    if (cycle >= end_) {
      if (windowed_) touch(execution.order, cycle);
      end.known = false;
      cycle = -1;
    }
    end.next = end.ramp = cycle + 1;
    progress = true;
    if (control_at_[at(m)] == cycle) continue;
    control_at_[at(m)] = cycle;
    mark_transit(message.source);
    changed = true;
  }
  return changed;
}

/// The first cycle in which the queue to the router has space for the wavelet behind all data of the message.
std::int64_t Timing::space_for_control(const Message& message) const {
  std::int64_t element = static_cast<std::int64_t>(message.words) - out_capacity_;
  for (std::int32_t t = message.source; t != kNone;) {
    const Runs runs = transits_[t];
    if (element >= 0) {
      if (element < runs.known) return runs.time(static_cast<std::int32_t>(element)) + 1;
      if (!windowed_) return 0;
      const bool seen = was_seen(trace_.transits[at(t)].order);
      return (seen ? late_[at(t)] == kStuck : careful_ && t != message.source) ? end_ : 0;
    }
    t = trace_.transits[at(t)].queue_before;
    if (t != kNone) element += message_of(trace_.transits[at(t)]).wavelets();
  }
  return 0;
}

}  // namespace muster::wafer
