// The times of messages at routers.
#include "backend/wafer/stream/timing.h"

#include <algorithm>
#include <bit>

#include "backend/wafer/directions.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kMostEvaluations = 64;  ///< per sequence, on the average
constexpr std::int64_t kFewSequences = 256;    ///< a small program may take longer to settle

std::int32_t narrow(Cycles cycles) { return static_cast<std::int32_t>(cycles.value()); }

}  // namespace

Timing::Timing(const Cells& cells, const Trace& trace)
    : cells_(cells),
      trace_(trace),
      hop_(std::max(1, narrow(cells.program().mesh().hop_latency))),
      ramp_(narrow(cells.program().mesh().ramp_latency)),
      link_capacity_(
          std::max(1, cells.program().mesh().router_buffer + narrow(cells.program().mesh().hop_latency) - 1)),
      out_capacity_(std::max(1, cells.program().mesh().router_buffer + ramp_)),
      in_capacity_(std::max(1, cells.program().mesh().ramp_queue + ramp_)),
      short_buffers_(link_capacity_ < hop_ + 1 || in_capacity_ < std::max(1, ramp_) + 1),
      transits_(trace.transits.size()),
      executions_(trace.executions.size()),
      ends_(trace.executions.size()),
      control_at_(trace.messages.size(), -1),
      late_(trace.transits.size(), 0),
      late_use_(trace.executions.size(), 0),
      met_(trace.transits.size(), 0),
      control_run_(1),
      hint_(at(cells.count()), kNone),
      worklist_(trace.order.size()) {
  send_chain_.timing = this;
}

bool Timing::run() {
  const auto count = static_cast<std::int64_t>(trace_.order.size());
  const std::int64_t most = kMostEvaluations * (count + kFewSequences);
  worklist_.add_all(static_cast<std::int32_t>(count));
  // First without regard to who shares a link: these times are never too late, and near enough to guess well from.
  if (!settle(most)) return false;
  arbitrate_ = true;
  mark_all_with_rivals();
  do {
    if (!settle(most)) return false;
  } while (!every_rule_holds());
  return std::all_of(ends_.begin(), ends_.end(), [](const LaneEnd& end) { return end.known; });
}

bool Timing::settle(std::int64_t most) {
  for (std::int32_t item = worklist_.take(); item >= 0; item = worklist_.take()) {
    if (evaluations_ > most) return false;
    evaluate(item);
  }
  return true;
}

bool Timing::evaluate(std::int32_t item) {
  ++evaluations_;
  const std::int32_t id = trace_.order[at(item)];
  return id >= 0 ? evaluate_transit(id) : evaluate_execution(~id);
}

/// The proof. Whatever was not looked at again when it should have been shows here, and is marked.
bool Timing::every_rule_holds() {
  bool all = true;
  for (std::int32_t item = 0; item < static_cast<std::int32_t>(trace_.order.size()); ++item) all &= !evaluate(item);
  return all;
}

void Timing::mark_all_with_rivals() {
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(trace_.transits.size()); ++t) {
    if (trace_.transits[at(t)].cell > cells_.first(cells_.router(trace_.transits[at(t)].cell))) mark_transit(t);
  }
}

/// True if its times changed. What waits for something unknown is marked again once that is known.
bool Timing::evaluate_transit(std::int32_t id) {
  const Transit& transit = trace_.transits[at(id)];
  const Message& message = message_of(transit);
  std::int64_t floor = 0;
  if (transit.before != kNone) {
    const Runs before = transits_[transit.before];
    if (before.known < message_of(trace_.transits[at(transit.before)]).wavelets()) return false;
    floor = before.last() + 1;
  }
  solver_.begin(0, floor, 1);
  const std::int32_t count = add_arrival(transit, message);
  solver_.limit(count);
  if (count > 0) add_space(transit);
  if (count > 0 && arbitrate_ && !add_rivals(transit, floor)) return false;
  const Runs now = solver_.solve();
  const Runs old = transits_[id];
  const bool was_late = late_[at(id)] != 0;
  late_[at(id)] = solver_.late() ? 1 : 0;
  met_[at(id)] = solver_.rivals().met() ? 1 : 0;
  if (same_times(now, old)) return false;
  const std::int32_t gain = was_late ? first_gain(old, now) : -1;
  mark_after_transit(id, now, was_late);
  transits_.set(id, now);
  if (gain >= 0) forget_held_back(id, gain);
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
  source.add({control_run_.data(), 1, 1}, message.words, std::max(1, ramp_));
  return message.words + 1;
}

void Timing::add_space(const Transit& transit) {
  for (std::int32_t child = transit.child; child != kNone; child = trace_.transits[at(child)].sibling) {
    add_queue_space(child, link_capacity_);
    solver_.add_throttle(link_capacity_, hop_ + 1);
  }
  if (has(transit.to, Direction::ramp)) add_ramp_space(transit);
}

/// A wavelet needs that the one `capacity` before it has left the queue: one of this message or of those before it.
void Timing::add_queue_space(std::int32_t child, std::int32_t capacity) {
  Source& source = solver_.add_source();
  std::int64_t first = capacity;
  source.add(transits_[child], first, 1);
  const std::int32_t* before = &trace_.transits[at(child)].queue_before;
  while (first > 0 && *before != kNone) {
    const Transit& other = trace_.transits[at(*before)];
    first -= message_of(other).wavelets();
    source.add(transits_[*before], first, 1);
    before = &other.queue_before;
  }
}

/// The same for the ramp to the processor, where control wavelets are dropped: they need space but do not use it.
void Timing::add_ramp_space(const Transit& transit) {
  Source& source = solver_.add_source();
  std::int64_t first = in_capacity_;
  if (transit.taker != kNone) source.add(executions_[transit.taker], first, 1);
  const std::int32_t* before = &transit.delivered_before;
  while (first > 0 && *before != kNone) {
    const Transit& other = trace_.transits[at(*before)];
    first -= message_of(other).words;
    if (other.taker != kNone) source.add(executions_[other.taker], first, 1);
    before = &other.delivered_before;
  }
  if (transit.taker != kNone) solver_.add_throttle(in_capacity_, std::max(1, ramp_) + 1);
}

// --- lower colors first

Runs Timing::CellChain::runs(std::int32_t id) const {
  if ((timing->trace_.transits[at(id)].to & to) == 0) return {};
  return timing->transits_[id];
}

std::int32_t Timing::CellChain::after(std::int32_t id) const { return timing->trace_.transits[at(id)].after; }

/// Moves the hint of a cell to its first transit that has not ended before `cycle`, or to its last one.
void Timing::seek_hint(std::int32_t cell, std::int64_t cycle) {
  std::int32_t& hint = hint_[at(cell)];
  const auto over = [&](std::int32_t id) {
    const Runs runs = transits_[id];
    return runs.known > 0 && runs.last() < cycle;
  };
  while (trace_.transits[at(hint)].before != kNone && !over(trace_.transits[at(hint)].before)) {
    hint = trace_.transits[at(hint)].before;
  }
  while (trace_.transits[at(hint)].after != kNone && over(hint)) hint = trace_.transits[at(hint)].after;
}

/// False if a lower color is on its way and it is not known how far.
bool Timing::add_rivals(const Transit& transit, std::int64_t floor) {
  const NodeId router = cells_.router(transit.cell);
  chains_.clear();
  chains_.reserve(at(transit.cell - cells_.first(router)));
  for (std::int32_t cell = cells_.first(router); cell < transit.cell; ++cell) {
    if (hint_[at(cell)] == kNone) continue;
    seek_hint(cell, floor);
    const Transit& rival = trace_.transits[at(hint_[at(cell)])];
    const std::int32_t known = transits_[hint_[at(cell)]].known;
    if (known > 0 && known < message_of(rival).wavelets() && (rival.to & transit.to) != 0) return false;
    CellChain& chain = chains_.emplace_back();
    chain.timing = this;
    chain.to = transit.to;
    solver_.rivals().add(chain, hint_[at(cell)]);
  }
  return true;
}

// --- who has to look again

void Timing::mark_after_transit(std::int32_t id, const Runs& now, bool was_late) {
  const Transit& transit = trace_.transits[at(id)];
  const Runs old = transits_[id];
  if (hint_[at(transit.cell)] == kNone) hint_[at(transit.cell)] = id;
  for (std::int32_t child = transit.child; child != kNone; child = trace_.transits[at(child)].sibling) {
    mark_transit(child);
  }
  if (transit.taker != kNone) mark_execution(transit.taker);
  if (transit.after != kNone && (old.known != now.known || old.last() != now.last())) {
    mark_transit(transit.after);
  }
  // A message that waits nowhere leaves the queue before its space is needed again.
  if (was_late || late_[at(id)] != 0 || short_buffers_) {
    mark_senders(id, transit.parent == kNone ? out_capacity_ : link_capacity_);
  }
  mark_rivals(transit, old, now);
}

/// Those who put wavelets in the queue that the transit takes from: of this message, and of the next ones.
void Timing::mark_senders(std::int32_t id, std::int32_t capacity) {
  std::int64_t behind = 0;
  for (std::int32_t t = id; t != kNone && behind < capacity; t = trace_.transits[at(t)].queue_after) {
    const Transit& transit = trace_.transits[at(t)];
    if (transit.parent != kNone) {
      mark_transit(transit.parent);
    } else {
      const std::int32_t sender = message_of(transit).execution;
      mark_execution(sender);
      if (trace_.executions[at(sender)].kind == Execution::Kind::send) {
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
    if (hint_[at(cell)] != kNone) mark_rivals_in(cell, transit, from, to);
  }
}

/// Those that move in the given time, and the first after it if it had to wait for somebody.
void Timing::mark_rivals_in(std::int32_t cell, const Transit& transit, std::int64_t from, std::int64_t to) {
  seek_hint(cell, from);
  for (std::int32_t t = hint_[at(cell)]; t != kNone; t = trace_.transits[at(t)].after) {
    const Runs runs = transits_[t];
    if (runs.known == 0) return;
    const bool beyond = runs.first() > to;
    if ((!beyond || met_[at(t)] != 0) && (trace_.transits[at(t)].to & transit.to) != 0) mark_transit(t);
    if (beyond) return;
  }
}

}  // namespace muster::wafer
