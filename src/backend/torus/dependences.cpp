#include "backend/torus/dependences.h"

#include <algorithm>

#include "base/index.h"

namespace muster::torus {
namespace {

constexpr std::uint8_t kTaken = 1;
constexpr std::uint8_t kSent = 2;

void add_once(std::vector<StepId>& steps, StepId step) {
  if (step != kNoStep && std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
}

}  // namespace

Dependences::Dependences(const Schedule& flat, const ScheduleIndex& index, const Pieces& pieces,
                         const std::vector<Event>& events)
    : flat_(flat),
      index_(index),
      pieces_(pieces),
      events_(events),
      needed_(flat.steps.size()),
      event_of_(flat.steps.size()) {
  for (std::size_t b = 0; b < first_.size(); ++b) {
    first_[b] = per_node_;
    per_node_ += pieces.of(static_cast<Buffer>(b + 1)).size();
  }
  stored_.resize(at(flat.node_count) * per_node_, kNoStep);
  accesses_.resize(stored_.size());
  scan(events);
}

void Dependences::scan(const std::vector<Event>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const StepId s = events[i].step;
    const Step& step = flat_.steps[at(s)];
    const NodeId node = index_.node_of[at(s)];
    const auto access = [&](Buffer buffer, SpanId span, bool sends, std::vector<StepId>* needed) {
      if (buffer == Buffer::none) return;
      for (const std::int32_t piece : pieces_.in(flat_, buffer, span)) {
        const std::size_t where = slot(node, buffer, piece);
        accesses_[where].push_back({.step = s, .event = static_cast<std::int32_t>(i), .sends = sends});
        if (needed != nullptr) add_once(*needed, stored_[where]);
      }
    };
    if (events[i].sends) {
      if (step.is_exchange()) access(step.sent, step.sent_elements, true, &needed_[at(s)].to_send);
      continue;
    }
    event_of_[at(s)] = static_cast<std::int32_t>(i);
    const bool only_sends = step.store == Buffer::none && !step.is_exchange() && step.operands.count == 1;
    access(step.own, step.own_elements, only_sends, &needed_[at(s)].to_combine);
    access(step.store, step.store_elements, false, nullptr);
    if (step.store == Buffer::none) continue;
    for (const std::int32_t piece : pieces_.in(flat_, step.store, step.store_elements)) {
      stored_[slot(node, step.store, piece)] = s;
    }
  }
}

std::vector<std::uint8_t> Dependences::before_sending(StepId step) const {
  std::vector<std::uint8_t> over(flat_.steps.size());
  std::vector<std::pair<StepId, std::uint8_t>> open;
  const auto visit = [&](StepId s, std::uint8_t what) {
    if ((over[at(s)] & what) != 0) return;
    over[at(s)] |= what;
    open.emplace_back(s, what);
  };
  visit(step, kSent);
  while (!open.empty()) {
    const auto [s, what] = open.back();
    open.pop_back();
    for (const StepId wait : flat_.waits_of(flat_.steps[at(s)])) visit(wait, kTaken);
    if (what == kSent && flat_.steps[at(s)].is_exchange()) {
      for (const StepId earlier : needed_[at(s)].to_send) visit(earlier, kTaken);
      continue;
    }
    if (what == kSent) {
      visit(s, kTaken);
      continue;
    }
    for (const StepId earlier : needed_[at(s)].to_combine) visit(earlier, kTaken);
    for (const StreamId stream : flat_.operands_of(flat_.steps[at(s)])) {
      if (stream != kOwn && carries_data(flat_, stream)) visit(index_.producer[at(stream)], kSent);
    }
  }
  return over;
}

bool Dependences::can_land_directly(StreamId stream, StepId taker) const {
  const Step& step = flat_.steps[at(taker)];
  if (step.operands.count != 1 || step.store == Buffer::none) return false;
  const NodeId node = index_.node_of[at(taker)];
  std::vector<Access> earlier;
  for (const std::int32_t piece : pieces_.in(flat_, step.store, step.store_elements)) {
    for (const Access& access : accesses_[slot(node, step.store, piece)]) {
      if (access.event < event_of_[at(taker)] && access.step != taker) earlier.push_back(access);
    }
  }
  if (earlier.empty()) return true;
  const std::vector<std::uint8_t> over = before_sending(index_.producer[at(stream)]);
  return std::all_of(earlier.begin(), earlier.end(), [&](const Access& access) {
    // What was sent has left the memory when it has been taken.
    const auto outputs = flat_.outputs_of(flat_.steps[at(access.step)]);
    const bool has_left = std::all_of(outputs.begin(), outputs.end(), [&](StreamId sent) {
      const auto takers = index_.takers.of(sent);
      return std::all_of(takers.begin(), takers.end(), [&](StepId t) { return (over[at(t)] & kTaken) != 0; });
    });
    return access.sends
               ? has_left
               : (over[at(access.step)] & kTaken) != 0 && (has_left || flat_.steps[at(access.step)].is_exchange());
  });
}

bool Dependences::end_after_all_began(NodeId ranks) const {
  using Nodes = std::vector<bool>;
  const auto join = [](Nodes& all, const Nodes& more) {
    for (std::size_t i = 0; i < more.size(); ++i) all[i] = all[i] || more[i];
  };
  const bool keeps_lanes =
      std::any_of(index_.node_of.begin(), index_.node_of.end(), [&](NodeId node) { return node >= ranks; });
  std::vector<Nodes> sent(flat_.steps.size());  // by step: the ranks that had begun then for sure
  std::vector<Nodes> taken(flat_.steps.size());
  std::vector<Nodes> at_end(at(ranks));
  Nodes active(at(ranks));
  for (const Event& event : events_) {
    const StepId s = event.step;
    const Step& step = flat_.steps[at(s)];
    const NodeId node = index_.node_of[at(s)];
    if (node >= ranks) continue;  // DRAM tells nobody who has written to it
    active[at(node)] = true;
    Nodes begun(at(ranks));
    begun[at(node)] = true;
    for (const StepId wait : flat_.waits_of(step)) join(begun, taken[at(wait)]);
    if (const StepId before = index_.before(s); keeps_lanes && before != kNoStep) join(begun, taken[at(before)]);
    if (event.sends) {
      if (!step.is_exchange()) join(begun, taken[at(s)]);
      for (const StepId earlier : needed_[at(s)].to_send) join(begun, taken[at(earlier)]);
      sent[at(s)] = std::move(begun);
      continue;
    }
    for (const StepId earlier : needed_[at(s)].to_combine) join(begun, taken[at(earlier)]);
    for (const StreamId stream : flat_.operands_of(step)) {
      if (stream != kOwn && carries_data(flat_, stream)) join(begun, sent[at(index_.producer[at(stream)])]);
    }
    if (at_end[at(node)].empty()) at_end[at(node)].resize(at(ranks));
    join(at_end[at(node)], begun);
    taken[at(s)] = std::move(begun);
  }
  return std::all_of(at_end.begin(), at_end.end(),
                     [&](const Nodes& begun) { return begun.empty() || begun == active; });
}

}  // namespace muster::torus
