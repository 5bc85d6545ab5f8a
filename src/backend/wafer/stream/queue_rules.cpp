// Space in queues: a wavelet waits for the one that is as many wavelets ahead as the queue is long.
#include "backend/wafer/stream/queue_rules.h"

#include <algorithm>

#include "backend/wafer/directions.h"

namespace muster::wafer {

void QueueRules::add_space(const Transit& transit) {
  const FabricTiming& fabric = times_.fabric;
  for (std::int32_t child = transit.child; child != kNone; child = times_.trace.transits[at(child)].sibling) {
    add_queue_space(child, fabric.link_capacity);
    // A slot is free again hop + 1 cycles after it was taken: a wavelet arrives, leaves, and its space counts from the next
    // cycle on. Fewer slots than that slow a stream down.
    solver_.add_throttle(fabric.link_capacity, fabric.hop + 1);
  }
  if (has(transit.to, Direction::ramp)) add_ramp_space(transit);
}

void QueueRules::add_output_space(const Execution& execution, std::int32_t cost) {
  const FabricTiming& fabric = times_.fabric;
  for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
    const Message& message = times_.trace.messages[at(m)];
    add_queue_space(message.source, fabric.out_capacity);
    solver_.add_throttle(fabric.out_capacity, std::max(1, cost + message.output + fabric.ramp) + 1);
  }
}

void QueueRules::limit_to(std::int32_t transit, std::int64_t first, Reader reader) {
  const std::int32_t item = times_.trace.transits[at(transit)].order;
  if (!window_.takes_later(item, times_.transit_lateness[at(transit)], reader) || times_.is_complete(transit)) return;
  solver_.limit(std::max<std::int64_t>(0, first + times_.transits[transit].known));
}

void QueueRules::limit_to_taker(std::int32_t taker, std::int64_t first, Reader reader) {
  const Execution& execution = times_.trace.executions[at(taker)];
  if (!window_.takes_later(execution.order, times_.execution_lateness[at(taker)], reader)) return;
  const std::int32_t used = times_.executions[taker].known;
  if (used < times_.shape_of(execution).count) solver_.limit(std::max<std::int64_t>(0, first + used));
}

/// A wavelet needs that the one `capacity` before it has left the queue: one of this message or of those before it.
void QueueRules::add_queue_space(std::int32_t child, std::int32_t capacity) {
  Source& source = solver_.add_source();
  std::int64_t first = capacity;
  source.add(times_.transits[child], first, 1);
  limit_to(child, first, Reader::of_this);
  const std::int32_t* before = &times_.trace.transits[at(child)].queue_before;
  while (first > 0 && *before != kNone) {
    const Transit& other = times_.trace.transits[at(*before)];
    first -= times_.message_of(other).wavelets();
    source.add(times_.transits[*before], first, 1);
    limit_to(*before, first, Reader::of_before);
    before = &other.queue_before;
  }
}

/// The same for the ramp to the processor, where control wavelets are dropped: they need space but do not use it.
void QueueRules::add_ramp_space(const Transit& transit) {
  const FabricTiming& fabric = times_.fabric;
  Source& source = solver_.add_source();
  std::int64_t first = fabric.in_capacity;
  if (transit.taker != kNone) {
    source.add(times_.executions[transit.taker], first, 1);
    limit_to_taker(transit.taker, first, Reader::of_this);
  }
  const std::int32_t* before = &transit.delivered_before;
  while (first > 0 && *before != kNone) {
    const Transit& other = times_.trace.transits[at(*before)];
    first -= times_.message_of(other).words;
    source.add(times_.executions[other.taker], first, 1);
    limit_to_taker(other.taker, first, Reader::of_before);
    before = &other.delivered_before;
  }
  if (transit.taker != kNone) solver_.add_throttle(fabric.in_capacity, fabric.ramp + 1);
}

std::int64_t QueueRules::space_for_control(const Message& message) const {
  std::int64_t element = static_cast<std::int64_t>(message.words) - times_.fabric.out_capacity;
  for (std::int32_t t = message.source; t != kNone;) {
    const Transit& transit = times_.trace.transits[at(t)];
    if (element >= 0) {
      const Runs runs = times_.transits[t];
      if (element < runs.known) return runs.time(static_cast<std::int32_t>(element)) + 1;
      const Reader reader = t == message.source ? Reader::of_this : Reader::of_before;
      return window_.takes_later(transit.order, times_.transit_lateness[at(t)], reader) ? window_.end() : 0;
    }
    t = transit.queue_before;
    if (t != kNone) element += times_.message_of(times_.trace.transits[at(t)]).wavelets();
  }
  return 0;
}

// --- who has to look again

void QueueRules::mark_senders(std::int32_t id, bool all) {
  const Trace& trace = times_.trace;
  const FabricTiming& fabric = times_.fabric;
  const std::int32_t capacity = trace.transits[at(id)].parent == kNone ? fabric.out_capacity : fabric.link_capacity;
  std::int64_t behind = 0;
  for (std::int32_t t = id; t != kNone && behind < capacity; t = trace.transits[at(t)].queue_after) {
    const Transit& transit = trace.transits[at(t)];
    const std::int32_t sender = times_.message_of(transit).execution;
    if (transit.parent != kNone) {
      if (all || times_.transit_lateness[at(transit.parent)] != Lateness::on_time) window_.mark_transit(transit.parent);
    } else if (all || times_.execution_lateness[at(sender)] != Lateness::on_time) {
      window_.mark_execution(sender);
      const Execution& execution = trace.executions[at(sender)];
      if (execution.kind == Execution::Kind::send && execution.after != kNone) window_.mark_execution(execution.after);
    }
    if (t != id) behind += times_.message_of(transit).wavelets();
  }
}

void QueueRules::mark_senders(const Execution& execution, bool all) {
  const Trace& trace = times_.trace;
  for (std::int32_t i = 0; i < execution.take_count; ++i) {
    std::int64_t behind = 0;
    const std::int32_t first = trace.takes[at(execution.first_take + i)];
    for (std::int32_t t = first; t != kNone && behind < times_.fabric.in_capacity; t = trace.transits[at(t)].after) {
      const Transit& transit = trace.transits[at(t)];
      if (!has(transit.to, Direction::ramp)) continue;
      if (all || times_.transit_lateness[at(t)] != Lateness::on_time) window_.mark_transit(t);
      if (t != first) behind += times_.message_of(transit).words;
    }
  }
}

}  // namespace muster::wafer
