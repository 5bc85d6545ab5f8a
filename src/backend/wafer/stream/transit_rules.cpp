// The times of messages at routers.
#include "backend/wafer/stream/transit_rules.h"

#include <algorithm>

namespace muster::wafer {

bool TransitRules::evaluate(std::int32_t id) {
  const Transit& transit = times_.trace.transits[at(id)];
  const Question asked = question(id);
  solver_.begin(asked);
  const std::int32_t arrived = add_arrival(transit, times_.message_of(transit));
  solver_.limit(asked.floor == kForever ? 0 : arrived);
  queues_.add_space(transit);
  arbiter_.add_rivals(transit, asked.floor, solver_.rivals());
  const Runs now = solver_.solve();
  const bool first_look = window_.is_first_look(transit.order);
  window_.touch(transit.order, solver_.beyond());
  Lateness& lateness = times_.transit_lateness[at(id)];
  const bool was_late = lateness != Lateness::on_time;
  lateness = now.known < arrived ? Lateness::stuck : solver_.late() ? Lateness::late : Lateness::on_time;
  arbiter_.set_met(id, solver_.rivals().met());
  const bool changed = !same_times(now, times_.transits[id]);
  // A message that waits nowhere leaves the queue before its space is needed again.
  const bool in_the_way = lateness != Lateness::on_time || was_late || times_.fabric.short_buffers;
  if (changed || (first_look && in_the_way)) queues_.mark_senders(id, in_the_way);
  if (!changed) return false;
  mark_others(id, now);
  times_.transits.set(id, now);
  return true;
}

Question TransitRules::question(std::int32_t id) const {
  const Transit& transit = times_.trace.transits[at(id)];
  const Runs old = times_.transits[id];
  const Runs certain = old.prefix(old.count_before(window_.begin()));
  Question question{.count = times_.message_of(transit).wavelets(), .certain = certain, .end = window_.end()};
  if (certain.known > 0) {
    question.floor = certain.last() + 1;
  } else if (transit.before != kNone) {
    question.floor = times_.is_complete(transit.before) ? times_.transits[transit.before].last() + 1 : kForever;
  }
  question.floor = std::max(question.floor, window_.begin());
  return question;
}

/// How many wavelets have a known time of arrival.
std::int32_t TransitRules::add_arrival(const Transit& transit, const Message& message) {
  Source& source = solver_.add_source();
  if (transit.parent != kNone) {
    const Runs parent = times_.transits[transit.parent];
    source.add(parent, 0, times_.fabric.hop);
    return parent.known;
  }
  const Execution& sender = times_.trace.executions[at(message.execution)];
  Runs sent = times_.executions[message.execution];
  const std::int32_t cost = sender.kind == Execution::Kind::work ? times_.shape_of(sender).cost : 0;
  if (message.words == 0) sent.known = 0;
  source.add(sent, 0, std::max(1, cost + message.output + times_.fabric.ramp));
  const std::int64_t control = times_.control_at[at(transit.message)];
  if (sent.known < message.words || !message.has_control() || control < 0) return sent.known;
  control_ = {.time = control, .first = 0, .stride = 1};
  source.add({&control_, 1, 1}, message.words, times_.fabric.ramp);
  return message.words + 1;
}

/// Those who have to look again if the transit's times become `now`.
void TransitRules::mark_others(std::int32_t id, const Runs& now) {
  const Transit& transit = times_.trace.transits[at(id)];
  const Runs old = times_.transits[id];
  for (std::int32_t child = transit.child; child != kNone; child = times_.trace.transits[at(child)].sibling) {
    window_.mark_transit(child);
  }
  if (transit.taker != kNone) window_.mark_execution(transit.taker);
  if (transit.after != kNone && (old.known != now.known || old.last() != now.last())) {
    window_.mark_transit(transit.after);
  }
  arbiter_.mark_rivals(id, now, window_);
}

}  // namespace muster::wafer
