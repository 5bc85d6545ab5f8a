// Which cycles are being evaluated, and which items of a trace's order (transits and executions) must be evaluated there.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/number_set.h"
#include "backend/wafer/stream/times.h"

namespace muster::wafer {

/// The reader of a queue: of the current message, or of an earlier one.
enum class Reader : std::uint8_t { of_this, of_before };

/// All time at once, or a window of it: everything before the window is final, nothing after it is evaluated.
class Window {
 public:
  explicit Window(const Trace& trace);

  [[nodiscard]] std::int64_t begin() const { return begin_; }
  [[nodiscard]] std::int64_t end() const { return end_; }
  void cover_all_time();

  // --- what must be evaluated
  void mark_all();
  void mark_transit(std::int32_t id) { worklist_.add(trace_.transits[at(id)].order); }
  void mark_execution(std::int32_t id) { worklist_.add(trace_.executions[at(id)].order); }
  /// The first marked item, unmarked; negative if there is none.
  std::int32_t take_lowest() { return worklist_.take_lowest(); }

  // --- windows
  /// Begins with the items that depend on no others. `careful`: no item is assumed not to block others.
  void start(bool careful);
  /// The first cycle in which an item continues; kForever if none does.
  [[nodiscard]] std::int64_t next_cycle() const;
  /// Opens [begin, end) and marks the items that continue there.
  void open(std::int64_t begin, std::int64_t end);
  /// The window has converged: its items continue after it, or wait for others.
  void keep();
  /// The window has not converged: items are reset to their state when it was opened.
  void undo();
  /// Items that were evaluated in this window, in the order of their first evaluation.
  [[nodiscard]] const std::vector<std::int32_t>& touched() const { return touched_; }

  // --- of an item, while it is evaluated
  /// Records that it was evaluated and continues in cycle `beyond` after the window; negative: it waits for others.
  void touch(std::int32_t item, std::int64_t beyond);
  /// Whether a window is open and the item has not been evaluated in it yet.
  [[nodiscard]] bool is_first_look(std::int32_t item) const { return is_open_ && seen_[at(item)] != number_; }
  /// Whether a queue's reader takes what it has not taken so far only after the window, so that whatever needs that space comes
  /// later too. A reader of this message is evaluated whenever there is more for it, and counts once it is found stuck. A reader of
  /// an earlier message may not be evaluated in this window at all; it counts if `careful`.
  [[nodiscard]] bool takes_later(std::int32_t item, Lateness lateness, Reader reader) const {
    if (!is_open_) return false;
    return seen_[at(item)] == number_ ? lateness == Lateness::stuck : is_careful_ && reader == Reader::of_before;
  }

 private:
  void unmark_all();

  const Trace& trace_;
  NumberSet worklist_;
  bool is_open_ = false;  ///< false: all time at once
  bool is_careful_ = false;
  std::int64_t begin_ = 0;
  std::int64_t end_ = kForever;
  std::int32_t number_ = 0;
  // Empty until windows are used: most traces converge for all time at once.
  std::vector<std::int32_t> seen_;  ///< of each item: the last window in which it was evaluated
  std::vector<std::int64_t> next_;  ///< of each item: when it continues after the window; negative: it waits for others
  std::vector<std::int64_t> saved_next_;  ///< the same when the window was opened
  std::vector<std::int32_t> touched_;
  std::vector<std::int32_t> pending_;  ///< items that continue after the last window
};

}  // namespace muster::wafer
