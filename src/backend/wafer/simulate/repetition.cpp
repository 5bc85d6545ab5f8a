#include "backend/wafer/simulate/repetition.h"

#include <algorithm>

#include "base/index.h"

namespace muster::wafer {
namespace {

constexpr std::size_t kMostWords = std::size_t{1} << 25;  ///< of all states that are kept
constexpr std::size_t kMostStates = 32;
constexpr std::int64_t kMostNoted = 512;  ///< after so many repetitions the state is not looked at any more

/// Calls `visit(counter of one, counter of other)`.
template <class Visit>
void for_each_counter(Traffic& one, const Traffic& other, Visit visit) {
  for (std::size_t d = 0; d < one.link.size(); ++d) visit(one.link[d], other.link[d]);
  for (const auto counter : {&Traffic::ramp_in, &Traffic::ramp_out, &Traffic::data_in, &Traffic::data_out,
                             &Traffic::control_hops, &Traffic::busy, &Traffic::waits}) {
    visit(one.*counter, other.*counter);
  }
}

/// What happens `times` times between two counts of the same router.
Traffic times_between(const Traffic& before, const Traffic& after, std::int64_t times) {
  Traffic all = after;
  for_each_counter(all, before, [&](std::int64_t& a, std::int64_t b) { a = (a - b) * times; });
  return all;
}

/// What is on its way or waits: when it is ready, and what it commands.
void append_queue(const Queue& queue, Tick now, std::vector<std::int32_t>& words) {
  const std::size_t count = words.size();
  words.push_back(0);
  for (std::uint32_t i = 0, slot = queue.front; i < queue.capacity; ++i) {
    const QueueSlot& wavelet = queue.ring[slot];
    if (!wavelet.stamp().is_wavelet()) break;
    ++words[count];
    words.push_back(std::max(0, wavelet.stamp().ready() - now) * 4 + static_cast<std::int32_t>(wavelet.stamp().kind()));
    if (!wavelet.stamp().is_data()) words.push_back(static_cast<std::int32_t>(wavelet.word()));
    slot = slot + 1 == queue.capacity ? 0 : slot + 1;
  }
}

}  // namespace

void add_to(Traffic& all, const Traffic& more) {
  for_each_counter(all, more, [](std::int64_t& a, std::int64_t b) { a += b; });
}

std::vector<Traffic> traffic_of(const Fabric& fabric, const Strips& strips) {
  std::vector<Traffic> all;
  for (const auto& strip : strips) {
    for (NodeId node = strip->state.nodes.first; node < strip->state.nodes.end; ++node) {
      all.push_back(fabric.traffic(node));
      all.back().busy = strip->processors.busy(node);
      all.back().waits = strip->processors.waits(node);
    }
  }
  return all;
}

Repetition::Repetition(const Fabric& fabric, Strips& strips) : fabric_(fabric), strips_(strips) {
  for (const auto& strip : strips) {
    for (NodeId node = strip->state.nodes.first; node < strip->state.nodes.end; ++node) {
      // The one in the middle of those that work, nearly: any would do.
      const bool is_nearer = chosen_ == nullptr || node <= static_cast<NodeId>(fabric.program.class_of.size() / 2);
      if (strip->processors.done(node) || !is_nearer) continue;
      node_ = node;
      chosen_ = &strip->processors;
    }
  }
  steps_left_ = chosen_ != nullptr && fabric.program.steps > 2;
}

std::vector<std::int32_t> Repetition::words_of_state(Tick now) const {
  std::vector<std::int32_t> words;
  if (!states_.empty()) words.reserve(states_.back().words.size() * 9 / 8);
  for (const Cell& cell : fabric_.cells) words.push_back(cell.position);
  for (const Queue& queue : fabric_.queues) append_queue(queue, now, words);
  for (const auto& strip : strips_) {
    strip->routers.append_state(words);
    strip->processors.append_state(now, chosen_->step(node_), words);
  }
  return words;
}

void Repetition::note(Tick now) {
  last_step_ = chosen_->step(node_);
  if (chosen_->done(node_) || ++noted_ > kMostNoted) {
    steps_left_ = false;
    return;
  }
  State state{.now = now, .step = last_step_, .words = words_of_state(now), .traffic = traffic_of(fabric_, strips_)};
  const auto same =
      std::find_if(states_.rbegin(), states_.rend(), [&](const State& before) { return before.words == state.words; });
  if (same != states_.rend()) return skip(*same, state);
  states_.push_back(std::move(state));
  const std::size_t most = std::clamp<std::size_t>(kMostWords / (states_.back().words.size() + 1), 1, kMostStates);
  while (states_.size() > most) states_.pop_front();
}

void Repetition::skip(const State& before, const State& after) {
  steps_left_ = false;
  const std::int64_t period = after.step - before.step;
  std::int64_t times = fabric_.program.steps;
  for (const auto& strip : strips_) {
    for (NodeId node = strip->state.nodes.first; node < strip->state.nodes.end; ++node) {
      if (strip->processors.code(node).operations == 0) continue;
      const bool has_ended = strip->processors.done(node);
      times = has_ended ? 0 : std::min(times, (fabric_.program.steps - 1 - strip->processors.step(node)) / period);
    }
  }
  if (times <= 0) return;
  for (const auto& strip : strips_) strip->processors.skip_steps(static_cast<std::int32_t>(times * period));
  skipped_ = {.steps = times * period,
              .cycles = times * (after.now - before.now),
              .traffic = {},
              .period = period,
              .first = before.step};
  for (std::size_t i = 0; i < after.traffic.size(); ++i) {
    skipped_.traffic.push_back(times_between(before.traffic[i], after.traffic[i], times));
  }
  states_.clear();
}

}  // namespace muster::wafer
