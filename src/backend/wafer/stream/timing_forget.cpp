// Times that are too late keep themselves: a stream is late because the buffer ahead is full, and that buffer is full
// because its stream is thought to be late. So when a sequence turns out to be earlier than it was thought to be, what its
// full buffer had held back is forgotten, with all that follows from it, and found again from below.
#include "backend/wafer/stream/timing.h"

namespace muster::wafer {

/// The transit takes the element, and those after it, earlier out of its queue than it did.
void Timing::forget_held_back(std::int32_t id, std::int64_t element) {
  const Transit* transit = &trace_.transits[at(id)];
  element += transit->parent == kNone ? out_capacity_ : link_capacity_;
  while (element >= message_of(*transit).wavelets()) {
    element -= message_of(*transit).wavelets();
    if (transit->queue_after == kNone) return;
    transit = &trace_.transits[at(transit->queue_after)];
  }
  const std::int32_t sender = message_of(*transit).execution;
  if (transit->parent != kNone) {
    if (late_[at(transit->parent)] != 0) forget_transit(transit->parent, element);
  } else if (late_use_[at(sender)] != 0) {
    forget_execution(sender, element);
  }
}

/// The same for an execution and the queues that it takes from.
void Timing::forget_held_back(const Execution& execution, std::int64_t first) {
  for (std::int32_t i = 0; i < execution.take_count; ++i) {
    std::int32_t t = trace_.takes[at(execution.first_take + i)];
    std::int64_t element = first + in_capacity_;
    while (t != kNone && element >= message_of(trace_.transits[at(t)]).words) {
      element -= message_of(trace_.transits[at(t)]).words;
      t = trace_.transits[at(t)].delivered_after;
    }
    if (t != kNone && late_[at(t)] != 0) forget_transit(t, element);
  }
}

void Timing::forget_transit(std::int32_t id, std::int64_t element) {
  if (transits_[id].known <= element) return;
  const Transit& transit = trace_.transits[at(id)];
  transits_.truncate(id, static_cast<std::int32_t>(element));
  mark_transit(id);
  for (std::int32_t child = transit.child; child != kNone; child = trace_.transits[at(child)].sibling) {
    forget_transit(child, element);
  }
  if (transit.taker != kNone) forget_execution(transit.taker, element);
  forget_held_back(id, element);
}

void Timing::forget_execution(std::int32_t id, std::int64_t element) {
  if (executions_[id].known <= element) return;
  const Execution& execution = trace_.executions[at(id)];
  executions_.truncate(id, static_cast<std::int32_t>(element));
  ends_[at(id)].known = false;
  mark_execution(id);
  for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
    control_at_[at(m)] = -1;
    forget_transit(trace_.messages[at(m)].source, element);
  }
  forget_held_back(execution, element);
}

}  // namespace muster::wafer
