// The times of messages at routers.
#include <algorithm>
#include <bit>

#include "backend/wafer/directions.h"
#include "backend/wafer/stream/timing.h"

namespace muster::wafer {

/// True if its times changed.
bool Timing::evaluate_transit(std::int32_t id) {
  const Transit& transit = trace_.transits[at(id)];
  const Message& message = message_of(transit);
  const Runs old = transits_[id];
  const Runs certain = old.prefix(old.count_before(begin_));
  Question question{.count = message.wavelets(), .certain = certain, .end = end_};
  if (certain.known > 0) {
    question.floor = certain.last() + 1;
  } else if (transit.before != kNone) {
    question.floor = is_complete(transit.before) ? transits_[transit.before].last() + 1 : kForever;
  }
  question.floor = std::max(question.floor, begin_);
  solver_.begin(question);
  const std::int32_t arrived = add_arrival(transit, message);
  solver_.limit(question.floor == kForever ? 0 : arrived);
  add_space(transit);
  add_rivals(transit, question.floor);
  const Runs now = solver_.solve();
  const bool first_look = windowed_ && !was_seen(transit.order);
  const bool was_late = late_[at(id)] != 0;
  if (windowed_) touch(transit.order, solver_.beyond());
  late_[at(id)] = now.known < arrived ? kStuck : solver_.late() ? kLate : kOnTime;
  met_[at(id)] = solver_.rivals().met() ? 1 : 0;
  const bool changed = !same_times(now, old);
  // A message that waits nowhere leaves the queue before its space is needed again.
  const bool in_the_way = late_[at(id)] != kOnTime || was_late || short_buffers_;
  if (changed || (first_look && in_the_way)) mark_senders(id, in_the_way);
  if (!changed) return false;
  mark_after_transit(id, now);
  transits_.set(id, now);
  return true;
}

/// How many wavelets have a known time of arrival.
std::int32_t Timing::add_arrival(const Transit& transit, const Message& message) {
  Source& source = solver_.add_source();
  if (transit.parent != kNone) {
    const Runs parent = transits_[transit.parent];
    source.add(parent, 0, hop_);
    return parent.known;
  }
  const Execution& sender = trace_.executions[at(message.execution)];
  Runs sent = executions_[message.execution];
  const std::int32_t cost = sender.kind == Execution::Kind::work ? shape_of(sender).cost : 0;
  if (message.words == 0) sent.known = 0;
  source.add(sent, 0, std::max(1, cost + message.output + ramp_));
  const std::int64_t control = control_at_[at(transit.message)];
  if (sent.known < message.words || !message.has_control() || control < 0) return sent.known;
  control_run_[0] = {.time = control, .first = 0, .stride = 1};
  source.add({control_run_.data(), 1, 1}, message.words, ramp_);
  return message.words + 1;
}

void Timing::add_space(const Transit& transit) {
  for (std::int32_t child = transit.child; child != kNone; child = trace_.transits[at(child)].sibling) {
    add_queue_space(child, link_capacity_);
    // A slot is free again hop_ + 1 cycles after it was taken: a wavelet arrives, leaves, and its space counts from the next
    // cycle on. Fewer slots than that slow a stream down.
    solver_.add_throttle(link_capacity_, hop_ + 1);
  }
  if (has(transit.to, Direction::ramp)) add_ramp_space(transit);
}

/// What a queue's reader has not taken in this window, it takes later: who needs that space comes later too. A reader of
/// this message is looked at whenever there is more for it, and counts once it is found stuck. One of a message before may
/// not be looked at in this window at all; it counts, if care is taken, as long as it has not taken all.
void Timing::limit_to(std::int32_t transit, std::int64_t first, Reader reader) {
  if (!windowed_ || is_complete(transit)) return;
  const bool seen = was_seen(trace_.transits[at(transit)].order);
  if (seen ? late_[at(transit)] == kStuck : careful_ && reader == Reader::of_before) {
    solver_.limit(std::max<std::int64_t>(0, first + transits_[transit].known));
  }
}

void Timing::limit_to_taker(std::int32_t taker, std::int64_t first, Reader reader) {
  const Execution& execution = trace_.executions[at(taker)];
  if (!windowed_ || executions_[taker].known == shape_of(execution).count) return;
  if (was_seen(execution.order) ? late_use_[at(taker)] == kStuck : careful_ && reader == Reader::of_before) {
    solver_.limit(std::max<std::int64_t>(0, first + executions_[taker].known));
  }
}

/// A wavelet needs that the one `capacity` before it has left the queue: one of this message or of those before it.
void Timing::add_queue_space(std::int32_t child, std::int32_t capacity) {
  Source& source = solver_.add_source();
  std::int64_t first = capacity;
  source.add(transits_[child], first, 1);
  limit_to(child, first, Reader::of_this);
  const std::int32_t* before = &trace_.transits[at(child)].queue_before;
  while (first > 0 && *before != kNone) {
    const Transit& other = trace_.transits[at(*before)];
    first -= message_of(other).wavelets();
    source.add(transits_[*before], first, 1);
    limit_to(*before, first, Reader::of_before);
    before = &other.queue_before;
  }
}

/// The same for the ramp to the processor, where control wavelets are dropped: they need space but do not use it.
void Timing::add_ramp_space(const Transit& transit) {
  Source& source = solver_.add_source();
  std::int64_t first = in_capacity_;
  if (transit.taker != kNone) {
    source.add(executions_[transit.taker], first, 1);
    limit_to_taker(transit.taker, first, Reader::of_this);
  }
  const std::int32_t* before = &transit.delivered_before;
  while (first > 0 && *before != kNone) {
    const Transit& other = trace_.transits[at(*before)];
    first -= message_of(other).words;
    source.add(executions_[other.taker], first, 1);
    limit_to_taker(other.taker, first, Reader::of_before);
    before = &other.delivered_before;
  }
  if (transit.taker != kNone) solver_.add_throttle(in_capacity_, ramp_ + 1);
}

// --- lower colors first

Runs Timing::CellChain::runs(std::int32_t id) const {
  if ((timing->trace_.transits[at(id)].to & to) == 0) return {};
  return timing->transits_[id];
}

/// Nothing is known of what comes behind one that is not known to its end.
std::int32_t Timing::CellChain::after(std::int32_t id) const {
  return timing->is_complete(id) ? timing->trace_.transits[at(id)].after : kNone;
}

/// Moves the hint of a cell to its first transit that has not ended before `cycle`, or to its last one.
void Timing::seek_hint(std::int32_t cell, std::int64_t cycle) {
  std::int32_t& hint = hint_[at(cell)];
  const auto over = [&](std::int32_t id) { return is_complete(id) && transits_[id].last() < cycle; };
  while (trace_.transits[at(hint)].before != kNone && !over(trace_.transits[at(hint)].before)) {
    hint = trace_.transits[at(hint)].before;
  }
  while (trace_.transits[at(hint)].after != kNone && over(hint)) hint = trace_.transits[at(hint)].after;
}

void Timing::add_rivals(const Transit& transit, std::int64_t floor) {
  const NodeId router = cells_.router(transit.cell);
  chains_.clear();
  chains_.reserve(at(transit.cell - cells_.first(router)));
  for (std::int32_t cell = cells_.first(router); cell < transit.cell; ++cell) {
    if (hint_[at(cell)] == kNone || (sides_[at(cell)] & transit.to) == 0) continue;
    seek_hint(cell, floor);
    CellChain& chain = chains_.emplace_back();
    chain.timing = this;
    chain.to = transit.to;
    solver_.rivals().add(chain, hint_[at(cell)]);
  }
}

// --- who has to look again

void Timing::mark_after_transit(std::int32_t id, const Runs& now) {
  const Transit& transit = trace_.transits[at(id)];
  const Runs old = transits_[id];
  if (hint_[at(transit.cell)] == kNone) hint_[at(transit.cell)] = id;
  for (std::int32_t child = transit.child; child != kNone; child = trace_.transits[at(child)].sibling) {
    mark_transit(child);
  }
  if (transit.taker != kNone) mark_execution(transit.taker);
  if (transit.after != kNone && (old.known != now.known || old.last() != now.last())) mark_transit(transit.after);
  mark_rivals(transit, old, now);
}

/// Those who put wavelets in the queue that the transit takes from, of this message and of the next ones: all, or those
/// who had to wait, perhaps for this queue.
void Timing::mark_senders(std::int32_t id, bool all) {
  const std::int32_t capacity = trace_.transits[at(id)].parent == kNone ? out_capacity_ : link_capacity_;
  std::int64_t behind = 0;
  for (std::int32_t t = id; t != kNone && behind < capacity; t = trace_.transits[at(t)].queue_after) {
    const Transit& transit = trace_.transits[at(t)];
    const std::int32_t sender = message_of(transit).execution;
    if (transit.parent != kNone) {
      if (all || late_[at(transit.parent)] != kOnTime) mark_transit(transit.parent);
    } else if (all || late_use_[at(sender)] != kOnTime) {
      mark_execution(sender);
      if (trace_.executions[at(sender)].kind == Execution::Kind::send && trace_.executions[at(sender)].after != kNone) {
        mark_execution(trace_.executions[at(sender)].after);
      }
    }
    if (t != id) behind += message_of(transit).wavelets();
  }
}

void Timing::mark_rivals(const Transit& transit, const Runs& old, const Runs& now) {
  const NodeId router = cells_.router(transit.cell);
  if (cells_.end(router) == transit.cell + 1) return;
  std::int64_t from = INT64_MAX, to = INT64_MIN;
  for (const Runs& runs : {old, now}) {
    if (runs.known == 0) continue;
    from = std::min(from, runs.first());
    to = std::max(to, runs.last());
  }
  for (std::int32_t cell = transit.cell + 1; cell < cells_.end(router); ++cell) {
    if (hint_[at(cell)] != kNone && (sides_[at(cell)] & transit.to) != 0) mark_rivals_in(cell, transit, from, to);
  }
}

/// Those that move in the given time, the first after it if it had to wait for somebody, and what is not known yet.
void Timing::mark_rivals_in(std::int32_t cell, const Transit& transit, std::int64_t from, std::int64_t to) {
  seek_hint(cell, from);
  for (std::int32_t t = hint_[at(cell)]; t != kNone; t = trace_.transits[at(t)].after) {
    const Runs runs = transits_[t];
    const bool beyond = runs.known > 0 && runs.first() > to;
    if ((!beyond || met_[at(t)] != 0) && (trace_.transits[at(t)].to & transit.to) != 0) mark_transit(t);
    if (beyond || !is_complete(t)) return;
  }
}

}  // namespace muster::wafer
