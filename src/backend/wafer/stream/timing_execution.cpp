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

bool Timing::evaluate_execution(std::int32_t id) {
  const Execution& execution = trace_.executions[at(id)];
  const LaneEnd start = start_of(execution);
  if (!start.known) return false;
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
  solver_.begin(0, std::max({start.next, start.datapath, ramp}), std::max(busy, outputs));
  solver_.limit(std::min(shape.count, add_operands(execution)));
  if (shape.count > 0) add_output_space(execution, shape.cost);
  const Runs used = solver_.solve();
  LaneEnd end = start;
  const bool known = used.known == shape.count, progress = shape.count > 0;
  if (known && progress) {
    end.finish = used.last();
    end.datapath = used.last() + busy;
    if (outputs > 0) end.ramp = used.last() + shape.cost + outputs;
  }
  end.known = known;
  const bool changed = store_times(id, solver_.late() || execution.take_count != 1);
  return finish(id, end, progress) || changed;
}

bool Timing::evaluate_send(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = trace_.executions[at(id)];
  const OperationShape& shape = shape_of(execution);
  const auto outputs = static_cast<std::int32_t>(shape.output_slots.size());
  solver_.begin(shape.sent_count, std::max({start.next, start.datapath, start.ramp}), std::max(1, outputs));
  if (shape.sent_count > 0) add_output_space(execution, 0);
  solver_.solve();
  ends_[at(id)].known = true;  // how it ends is known to its other half
  return store_times(id, true);
}

bool Timing::evaluate_take(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = trace_.executions[at(id)];
  const OperationShape& shape = shape_of(execution);
  const Runs sent = executions_[execution.before];
  const bool all_sent = sent.known == shape.sent_count;
  const std::int32_t busy = std::max(1, shape.cost);
  solver_.begin(0, std::max(start.next, start.datapath), busy);
  std::int32_t count = std::min(shape.count, add_operands(execution));
  if (!all_sent) count = 0;
  if (shape.overwrites) {
    solver_.add_source().add(sent, 0, 1);
    count = std::min(count, sent.known);
  }
  solver_.limit(count);
  if (sent.known > 0) solver_.rivals().add(send_chain_, execution.before);
  const Runs used = solver_.solve();
  LaneEnd end = start;
  end.known = all_sent && used.known == shape.count;
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
  const bool changed = store_times(id, true);
  return finish(id, end, progress) || changed;
}

/// How many elements have all operands at a known time.
std::int32_t Timing::add_operands(const Execution& execution) {
  std::int32_t known = INT32_MAX;
  for (std::int32_t i = 0; i < execution.take_count; ++i) {
    const std::int32_t transit = trace_.takes[at(execution.first_take + i)];
    Runs arrived = transits_[transit];
    arrived.known = std::min(arrived.known, message_of(trace_.transits[at(transit)]).words);
    solver_.add_source().add(arrived, 0, std::max(1, ramp_));
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

bool Timing::store_times(std::int32_t id, bool late) {
  const Execution& execution = trace_.executions[at(id)];
  const bool was_late = late_use_[at(id)] != 0;
  late_use_[at(id)] = late ? 1 : 0;
  const Runs used = solver_.answer();
  if (same_times(used, executions_[id])) return false;
  const std::int32_t gain = was_late ? first_gain(executions_[id], used) : -1;
  executions_.set(id, used);
  if (gain >= 0) forget_held_back(execution, gain);
  if (execution.kind != Execution::Kind::take) {
    for (std::int32_t m = 0; m < execution.message_count; ++m) {
      mark_transit(trace_.messages[at(execution.first_message + m)].source);
    }
  }
  if (late || was_late || short_buffers_) mark_takes(execution);
  if (execution.kind == Execution::Kind::send) mark_execution(execution.after);
  return true;
}

/// Those who put wavelets in the queues that the execution takes from: of these messages, and of the next ones.
void Timing::mark_takes(const Execution& execution) {
  for (std::int32_t i = 0; i < execution.take_count; ++i) {
    std::int64_t behind = 0;
    const std::int32_t first = trace_.takes[at(execution.first_take + i)];
    for (std::int32_t t = first; t != kNone && behind < in_capacity_; t = trace_.transits[at(t)].after) {
      const Transit& transit = trace_.transits[at(t)];
      if (has(transit.to, Direction::ramp)) mark_transit(t);
      if (t != first && has(transit.to, Direction::ramp)) behind += message_of(transit).words;
    }
  }
}

/// Control wavelets behind the data, and the end.
bool Timing::finish(std::int32_t id, LaneEnd end, bool progress) {
  const Execution& execution = trace_.executions[at(id)];
  bool changed = false;
  if (end.known) {
    if (progress) end.next = end.finish + 1;
    changed = send_controls(execution, end, progress);
    end.finish = progress ? end.next - 1 : end.next;
  }
  const LaneEnd old = ends_[at(id)];
  if (end == old) return changed;
  ends_[at(id)] = end;
  if (execution.after == kNone) return true;
  mark_execution(execution.after);
  const Execution& after = trace_.executions[at(execution.after)];
  if (after.kind == Execution::Kind::send && after.after != kNone) mark_execution(after.after);
  return true;
}

bool Timing::send_controls(const Execution& execution, LaneEnd& end, bool& progress) {
  bool changed = false;
  for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
    const Message& message = trace_.messages[at(m)];
    if (!message.has_control()) continue;
    const std::int64_t cycle = std::max({end.next, end.ramp, space_for_control(message)});
    end.next = end.ramp = cycle + 1;
    progress = true;
    if (control_at_[at(m)] == cycle) continue;
    mark_transit(message.source);
    control_at_[at(m)] = cycle;
    changed = true;
  }
  return changed;
}

/// The first cycle in which the queue to the router has space for the wavelet behind all data of the message.
std::int64_t Timing::space_for_control(const Message& message) const {
  std::int64_t element = static_cast<std::int64_t>(message.words) - out_capacity_;
  for (std::int32_t t = message.source; t != kNone;) {
    const Runs runs = transits_[t];
    if (element >= 0) return element < runs.known ? runs.time(static_cast<std::int32_t>(element)) + 1 : 0;
    t = trace_.transits[at(t)].queue_before;
    if (t != kNone) element += message_of(trace_.transits[at(t)]).wavelets();
  }
  return 0;
}

}  // namespace muster::wafer
