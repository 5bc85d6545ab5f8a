// The times of operations.
#include "backend/wafer/stream/execution_rules.h"

#include <algorithm>

namespace muster::wafer {

/// Where the lane is when the execution is looked at for the first time.
LaneEnd ExecutionRules::start_of(const Execution& execution) const {
  std::int32_t before = execution.before;
  if (execution.kind == Execution::Kind::take) before = times_.trace.executions[at(before)].before;
  if (before == kNone) return times_.starts.empty() ? LaneEnd{.known = true} : times_.starts[at(execution.node)];
  LaneEnd start = times_.ends[at(before)];
  if (times_.trace.executions[at(before)].last_of_call) start.next = start.finish + 1;
  return start;
}

Question ExecutionRules::question(std::int32_t id, std::int32_t count, std::int64_t floor, std::int32_t step) const {
  const Runs old = times_.executions[id];
  const Runs certain = old.prefix(old.count_before(window_.begin()));
  if (certain.known > 0) floor = certain.last() + step;
  return {.count = count,
          .floor = std::max(floor, window_.begin()),
          .step = step,
          .certain = certain,
          .end = window_.end()};
}

bool ExecutionRules::evaluate(std::int32_t id) {
  const Execution& execution = times_.trace.executions[at(id)];
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

bool ExecutionRules::evaluate_work(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = times_.trace.executions[at(id)];
  const OperationShape& shape = times_.shape_of(execution);
  const auto outputs = static_cast<std::int32_t>(shape.output_slots.size());
  const std::int32_t busy = std::max(1, shape.cost);
  const std::int64_t ramp = outputs > 0 ? start.ramp - shape.cost : 0;
  solver_.begin(question(id, shape.count, std::max({start.next, start.datapath, ramp}), std::max(busy, outputs)));
  const std::int32_t arrived = std::min(shape.count, add_operands(execution));
  solver_.limit(start.known ? arrived : 0);
  if (shape.count > 0) queues_.add_output_space(execution, shape.cost);
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
  const bool changed = store_times(id, used.known < arrived ? Lateness::stuck
                                       : late               ? Lateness::late
                                                            : Lateness::on_time);
  return finish(id, end, progress) || changed;
}

bool ExecutionRules::evaluate_send(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = times_.trace.executions[at(id)];
  const OperationShape& shape = times_.shape_of(execution);
  const auto outputs = static_cast<std::int32_t>(shape.output_slots.size());
  solver_.begin(
      question(id, shape.sent_count, std::max({start.next, start.datapath, start.ramp}), std::max(1, outputs)));
  solver_.limit(start.known ? shape.sent_count : 0);
  if (shape.sent_count > 0) queues_.add_output_space(execution, 0);
  solver_.solve();
  times_.ends[at(id)].known = true;  // its other half knows when it ends
  return store_times(id, Lateness::late);
}

bool ExecutionRules::evaluate_take(std::int32_t id, const LaneEnd& start) {
  const Execution& execution = times_.trace.executions[at(id)];
  const OperationShape& shape = times_.shape_of(execution);
  const Runs sent = times_.executions[execution.before];
  const std::int32_t busy = std::max(1, shape.cost);
  solver_.begin(question(id, shape.count, std::max(start.next, start.datapath), busy));
  const std::int32_t arrived = std::min(shape.count, add_operands(execution));
  solver_.limit(start.known ? arrived : 0);
  if (shape.overwrites) {
    solver_.add_source().add(sent, 0, 1);
    solver_.limit(sent.known);
  }
  if (sent.known > 0) solver_.rivals().add(sends_, execution.before);
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
  const bool changed = store_times(id, used.known < arrived ? Lateness::stuck : Lateness::late);
  return finish(id, end, progress) || changed;
}

/// How many elements have all operands at a known time.
std::int32_t ExecutionRules::add_operands(const Execution& execution) {
  std::int32_t known = INT32_MAX;
  for (std::int32_t i = 0; i < execution.take_count; ++i) {
    const std::int32_t transit = times_.trace.takes[at(execution.first_take + i)];
    Runs arrived = times_.transits[transit];
    arrived.known = std::min(arrived.known, times_.message_of(times_.trace.transits[at(transit)]).words);
    solver_.add_source().add(arrived, 0, times_.fabric.ramp);
    known = std::min(known, arrived.known);
  }
  return known;
}

bool ExecutionRules::store_times(std::int32_t id, Lateness lateness) {
  const Execution& execution = times_.trace.executions[at(id)];
  const bool first_look = window_.is_first_look(execution.order);
  window_.touch(execution.order, solver_.beyond());
  const bool was_late = times_.execution_lateness[at(id)] != Lateness::on_time;
  times_.execution_lateness[at(id)] = lateness;
  const Runs used = solver_.answer();
  const bool changed = !same_times(used, times_.executions[id]);
  const bool in_the_way = lateness != Lateness::on_time || was_late || times_.fabric.short_buffers;
  if (changed || (first_look && in_the_way)) queues_.mark_senders(execution, in_the_way);
  if (!changed) return false;
  times_.executions.set(id, used);
  if (execution.kind == Execution::Kind::send && execution.after != kNone) window_.mark_execution(execution.after);
  if (execution.kind == Execution::Kind::take) return true;
  for (std::int32_t m = 0; m < execution.message_count; ++m) {
    window_.mark_transit(times_.trace.messages[at(execution.first_message + m)].source);
  }
  return true;
}

/// Control wavelets after the data, and the end.
bool ExecutionRules::finish(std::int32_t id, LaneEnd end, bool progress) {
  const Execution& execution = times_.trace.executions[at(id)];
  if (end.known && progress) end.next = end.finish + 1;
  const bool changed = send_controls(id, end, progress);
  if (end.known) end.finish = progress ? end.next - 1 : end.next;
  const LaneEnd old = times_.ends[at(id)];
  if (end == old || (!end.known && !old.known)) return changed;
  times_.ends[at(id)] = end;
  if (execution.after == kNone) return true;
  window_.mark_execution(execution.after);
  const Execution& after = times_.trace.executions[at(execution.after)];
  if (after.kind == Execution::Kind::send && after.after != kNone) window_.mark_execution(after.after);
  return true;
}

/// True if some time changed. A control wavelet after the window leaves the end unknown.
bool ExecutionRules::send_controls(std::int32_t id, LaneEnd& end, bool& progress) {
  const Execution& execution = times_.trace.executions[at(id)];
  bool changed = false;
  for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
    const Message& message = times_.trace.messages[at(m)];
    if (!message.has_control()) continue;
    std::int64_t cycle = -1;
    if (end.known) cycle = std::max({end.next, end.ramp, queues_.space_for_control(message)});
    if (end.known && (times_.control_at[at(m)] < 0 || times_.control_at[at(m)] >= window_.begin()))
      cycle = std::max(cycle, window_.begin());
    if (cycle >= window_.end()) {
      window_.touch(execution.order, cycle);
      end.known = false;
      cycle = -1;
    }
    end.next = end.ramp = cycle + 1;
    progress = true;
    if (times_.control_at[at(m)] == cycle) continue;
    times_.control_at[at(m)] = cycle;
    window_.mark_transit(message.source);
    changed = true;
  }
  return changed;
}

}  // namespace muster::wafer
