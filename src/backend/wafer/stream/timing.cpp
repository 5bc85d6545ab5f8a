// The times of a trace: in which order sequences are evaluated.
#include "backend/wafer/stream/timing.h"

#include <algorithm>
#include <bit>

#include "backend/wafer/directions.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kFirstWay = 3;     ///< evaluations per sequence, on the average, without windows
constexpr std::int64_t kSecondWay = 512;  ///< with windows
constexpr std::int64_t kFirstWindow = 64;
constexpr std::int64_t kQuick = 4;  ///< evaluations per sequence of a window that settles quickly
constexpr std::int64_t kSlow = 12;  ///< of one that is too long
constexpr std::int64_t kFew = 64;

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
      short_buffers_(link_capacity_ < hop_ + 1 || in_capacity_ < ramp_ + 1),
      transits_(trace.transits.size()),
      executions_(trace.executions.size()),
      ends_(trace.executions.size()),
      control_at_(trace.messages.size(), -1),
      late_(trace.transits.size(), kOnTime),
      late_use_(trace.executions.size(), kOnTime),
      met_(trace.transits.size(), 0),
      control_run_(1),
      sides_(at(cells.count()), 0),
      hint_(at(cells.count()), kNone),
      worklist_(trace.order.size()),
      end_(kForever),
      seen_(trace.order.size(), -1),
      next_(trace.order.size(), -1),
      saved_next_(trace.order.size(), -1) {
  send_chain_.timing = this;
  for (const Transit& transit : trace.transits) sides_[at(transit.cell)] |= transit.to;
}

bool Timing::run(std::int64_t most) {
  const auto count = static_cast<std::int64_t>(trace_.order.size());
  worklist_.add_all(static_cast<std::int32_t>(count));
  bool settled = settle(std::min(most, kFirstWay * count + kFew)) && every_rule_holds();
  for (const bool careful : {false, true}) {
    careful_ = careful;
    if (!settled && evaluations_ < most) {
      settled = settle_in_windows(std::min(most - evaluations_, kSecondWay * (count + kFew))) && every_rule_holds();
    }
  }
  return settled && std::all_of(ends_.begin(), ends_.end(), [](const LaneEnd& end) { return end.known; });
}

bool Timing::evaluate(std::int32_t item) {
  ++evaluations_;
  const std::int32_t id = trace_.order[at(item)];
  return id >= 0 ? evaluate_transit(id) : evaluate_execution(~id);
}

bool Timing::settle(std::int64_t most) {
  for (std::int32_t item = worklist_.take_lowest(); item >= 0; item = worklist_.take_lowest()) {
    if (evaluations_ >= most) return false;
    evaluate(item);
  }
  return true;
}

/// The proof, for all time at once.
bool Timing::every_rule_holds() {
  windowed_ = false;
  begin_ = 0;
  end_ = kForever;
  for (std::int32_t item = 0; item < static_cast<std::int32_t>(trace_.order.size()); ++item) {
    if (evaluate(item)) return false;
  }
  return true;
}

// --- windows

void Timing::forget_all() {
  while (worklist_.take_lowest() >= 0) continue;
  pending_.clear();
  std::fill(next_.begin(), next_.end(), -1);
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(trace_.transits.size()); ++t) transits_.set(t, {});
  for (std::int32_t e = 0; e < static_cast<std::int32_t>(trace_.executions.size()); ++e) {
    executions_.set(e, {});
    ends_[at(e)] = {};
    if (trace_.executions[at(e)].before == kNone) pending_.push_back(trace_.executions[at(e)].order);
  }
  for (const std::int32_t item : pending_) next_[at(item)] = 0;
  std::fill(control_at_.begin(), control_at_.end(), -1);
}

bool Timing::settle_in_windows(std::int64_t most) {
  forget_all();
  windowed_ = true;
  most += evaluations_;
  std::int64_t length = kFirstWindow, begin = 0;
  while (!pending_.empty()) {
    std::int64_t first = kForever;
    for (const std::int32_t item : pending_) first = std::min(first, next_[at(item)]);
    begin = std::max(begin, first);
    const std::int64_t before = evaluations_;
    if (evaluations_ > most) return false;
    if (!settle_window(begin, begin + length)) {
      length = std::max<std::int64_t>(1, length / 4);
      continue;
    }
    begin += length;
    if (evaluations_ - before < kQuick * static_cast<std::int64_t>(touched_.size()) + kFew) length *= 2;
  }
  return true;
}

/// False if it takes too long; then nothing has changed.
bool Timing::settle_window(std::int64_t begin, std::int64_t end) {
  begin_ = begin;
  end_ = end;
  ++window_;
  touched_.clear();
  for (const std::int32_t item : pending_) {
    if (next_[at(item)] < end) worklist_.add(item);
  }
  const std::int64_t before = evaluations_;
  for (bool changed = true; changed;) {
    for (std::int32_t item = worklist_.take_lowest(); item >= 0; item = worklist_.take_lowest()) {
      evaluate(item);
      const auto used = evaluations_ - before;
      if (end - begin > 1 && used > kSlow * static_cast<std::int64_t>(touched_.size()) + kFew) {
        forget_window();
        return false;
      }
    }
    changed = false;
    for (std::size_t next = 0; next < touched_.size();) changed |= evaluate(touched_[next++]);  // which may add some
  }
  std::erase_if(pending_, [&](std::int32_t item) { return seen_[at(item)] == window_; });
  for (const std::int32_t item : touched_) {
    if (next_[at(item)] >= 0) pending_.push_back(item);
  }
  return true;
}

void Timing::forget_window() {
  while (worklist_.take_lowest() >= 0) continue;
  for (const std::int32_t item : touched_) {
    const std::int32_t id = trace_.order[at(item)];
    next_[at(item)] = saved_next_[at(item)];
    if (id >= 0) {
      transits_.set(id, transits_[id].prefix(transits_[id].count_before(begin_)));
      continue;
    }
    executions_.set(~id, executions_[~id].prefix(executions_[~id].count_before(begin_)));
    LaneEnd& lane = ends_[at(~id)];
    if (lane.known && lane.finish >= begin_) lane.known = false;
    const Execution& execution = trace_.executions[at(~id)];
    for (std::int32_t m = execution.first_message; m < execution.first_message + execution.message_count; ++m) {
      if (control_at_[at(m)] >= begin_) control_at_[at(m)] = -1;
    }
  }
}

void Timing::touch(std::int32_t item, std::int64_t beyond) {
  if (seen_[at(item)] != window_) {
    seen_[at(item)] = window_;
    saved_next_[at(item)] = next_[at(item)];
    touched_.push_back(item);
  }
  next_[at(item)] = beyond;
}

}  // namespace muster::wafer
