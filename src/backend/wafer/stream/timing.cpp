// The times of a trace: in which order sequences are evaluated.
#include "backend/wafer/stream/timing.h"

#include <algorithm>

#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr std::int64_t kWholePasses = 3;     ///< evaluations per sequence, on the average, for all time at once
constexpr std::int64_t kWindowPasses = 512;  ///< in windows
constexpr std::int64_t kFirstWindow = 64;
constexpr std::int64_t kQuick = 3;  ///< evaluations per sequence of a window that settles quickly
constexpr std::int64_t kSlow = 12;  ///< of one that is too long
constexpr std::int64_t kFew = 64;

}  // namespace

std::string Timing::unsupported() const {
  for (const Execution& execution : times_.trace.executions) {
    const OperationShape& shape = times_.shape_of(execution);
    if (times_.cells.shape(execution.node).lanes() > 1) return "a processor runs several lanes";
    if (shape.exchange && shape.cost > 1) return "an exchange takes several streams";
  }
  return "";
}

bool Timing::run(std::int64_t most) {
  const auto count = static_cast<std::int64_t>(times_.trace.order.size());
  window_.mark_all();
  bool settled = settle(std::min(most, kWholePasses * count + kFew)) && every_rule_holds();
  for (const bool careful : {false, true}) {
    if (settled || evaluations_ >= most) break;
    const std::int64_t left = std::min(most - evaluations_, kWindowPasses * (count + kFew));
    settled = settle_in_windows(left, careful) && every_rule_holds();
  }
  return settled && std::all_of(times_.ends.begin(), times_.ends.end(), [](const LaneEnd& end) { return end.known; });
}

bool Timing::evaluate(std::int32_t item) {
  ++evaluations_;
  const std::int32_t id = times_.trace.order[at(item)];
  return id >= 0 ? transits_.evaluate(id) : executions_.evaluate(~id);
}

bool Timing::settle(std::int64_t most) {
  for (std::int32_t item = window_.take_lowest(); item >= 0; item = window_.take_lowest()) {
    if (evaluations_ >= most) return false;
    evaluate(item);
  }
  return true;
}

/// The proof, for all time at once.
bool Timing::every_rule_holds() {
  window_.cover_all_time();
  for (std::int32_t item = 0; item < static_cast<std::int32_t>(times_.trace.order.size()); ++item) {
    if (evaluate(item)) return false;
  }
  return true;
}

bool Timing::settle_in_windows(std::int64_t most, bool careful) {
  times_.forget();
  window_.start(careful);
  most += evaluations_;
  std::int64_t length = kFirstWindow, begin = 0;
  for (std::int64_t next = window_.next_cycle(); next != kForever; next = window_.next_cycle()) {
    begin = std::max(begin, next);
    const std::int64_t before = evaluations_;
    if (evaluations_ > most) return false;
    window_.open(begin, begin + length);
    if (!settle_window()) {
      for (const std::int32_t item : window_.touched()) times_.forget_from(item, begin);
      window_.undo();
      length = std::max<std::int64_t>(1, length / 4);
      continue;
    }
    window_.keep();
    begin += length;
    if (evaluations_ - before < kQuick * static_cast<std::int64_t>(window_.touched().size()) + kFew) length *= 2;
  }
  return true;
}

/// False if it takes too long.
bool Timing::settle_window() {
  const std::vector<std::int32_t>& touched = window_.touched();
  const std::int64_t before = evaluations_;
  for (bool changed = true; changed;) {
    for (std::int32_t item = window_.take_lowest(); item >= 0; item = window_.take_lowest()) {
      evaluate(item);
      const auto used = evaluations_ - before;
      const bool is_slow = used > kSlow * static_cast<std::int64_t>(touched.size()) + kFew;
      if (window_.end() - window_.begin() > 1 && is_slow) return false;
    }
    changed = false;
    for (std::size_t next = 0; next < touched.size();) changed |= evaluate(touched[next++]);  // which may add some
  }
  return true;
}

}  // namespace muster::wafer
