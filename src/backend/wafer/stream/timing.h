// The times of a trace: when each wavelet of each message passes each router, and when each operation uses each element.
//
// The rules of the cycle engine say of every sequence of events when the next one may happen: not before the wavelet has
// arrived, one per cycle, only into a buffer that had space at the start of the cycle, and not in a cycle in which a lower
// color takes the link. All of them look back in time. So times that satisfy every rule, each being the earliest that the
// rules allow, are the times of the simulation: by induction over cycles there are no others. The timing looks for them by
// evaluating each sequence from the present times of the others until nothing changes.
//
// First for all time at once, from sources to sinks: where streams do not meet, that is enough. Where they do, wrong
// guesses of who is first are slow to go away, because a stream that is thought to be late fills buffers that keep it
// late. Then time is cut into windows: a guess reaches no further than the window, and what is before it is certain. A
// window grows while it settles quickly and shrinks when it does not. At the end every rule is checked once more: a window
// trusts that who was stuck before it and has not been looked at since is in nobody's way, which is quick and nearly always
// true; where the check finds that it was not, all is done again without that trust.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "backend/wafer/number_set.h"
#include "backend/wafer/stream/runs.h"
#include "backend/wafer/stream/solver.h"
#include "backend/wafer/stream/trace.h"

namespace muster::wafer {

inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max() / 4;

/// Where an execution leaves its processor.
struct LaneEnd {
  std::int64_t next = 0;      ///< the first cycle in which the next operation is looked at
  std::int64_t finish = 0;    ///< the cycle in which this one ended
  std::int64_t datapath = 0;  ///< free from here on
  std::int64_t ramp = 0;      ///< free from here on
  bool known = false;
  bool operator==(const LaneEnd&) const = default;
};

class Timing {
 public:
  Timing(const Cells& cells, const Trace& trace);

  /// Why this trace has something that is not modelled; empty if it has not.
  [[nodiscard]] std::string unsupported() const;

  /// Finds the times. False if they do not settle, or not with so many evaluations.
  bool run(std::int64_t most);
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  /// Cycles in which an execution uses its elements, or sends them (Kind::send).
  [[nodiscard]] Runs used(std::int32_t execution) const { return executions_[execution]; }
  [[nodiscard]] const LaneEnd& end(std::int32_t execution) const { return ends_[at(execution)]; }
  /// Cycles in which a transit moves its wavelets.
  [[nodiscard]] Runs moved(std::int32_t transit) const { return transits_[transit]; }

 private:
  enum Lateness : std::uint8_t {
    kOnTime,
    kLate,   ///< some wavelet had to wait
    kStuck,  ///< some wavelet waits beyond the window
  };
  /// Who takes from a queue: of the message that is looked at, or of one before it.
  enum class Reader : std::uint8_t { of_this, of_before };
  /// The lower colors at a router that leave by a side that a transit leaves by.
  struct CellChain final : Rivals::Chain {
    const Timing* timing = nullptr;
    Directions to = 0;
    [[nodiscard]] Runs runs(std::int32_t id) const override;
    [[nodiscard]] std::int32_t after(std::int32_t id) const override;
  };
  struct SendChain final : Rivals::Chain {
    const Timing* timing = nullptr;
    [[nodiscard]] Runs runs(std::int32_t id) const override { return timing->executions_[id]; }
    [[nodiscard]] std::int32_t after(std::int32_t) const override { return kNone; }
  };

  // windows (timing.cpp)
  bool settle(std::int64_t most);
  bool settle_in_windows(std::int64_t most);
  bool settle_window(std::int64_t begin, std::int64_t end);
  void forget_all();
  void forget_window();
  bool every_rule_holds();
  bool evaluate(std::int32_t item);
  void touch(std::int32_t item, std::int64_t beyond);

  // transits (timing_transit.cpp)
  bool evaluate_transit(std::int32_t id);
  std::int32_t add_arrival(const Transit& transit, const Message& message);
  void add_space(const Transit& transit);
  void add_queue_space(std::int32_t child, std::int32_t capacity);
  void add_ramp_space(const Transit& transit);
  void limit_to(std::int32_t transit, std::int64_t first, Reader reader);
  void limit_to_taker(std::int32_t taker, std::int64_t first, Reader reader);
  void add_rivals(const Transit& transit, std::int64_t floor);
  void mark_after_transit(std::int32_t id, const Runs& now);
  void mark_senders(std::int32_t id, bool all);
  void mark_rivals(const Transit& transit, const Runs& old, const Runs& now);
  void mark_rivals_in(std::int32_t cell, const Transit& transit, std::int64_t from, std::int64_t to);
  void seek_hint(std::int32_t cell, std::int64_t cycle);

  // executions (timing_execution.cpp)
  bool evaluate_execution(std::int32_t id);
  [[nodiscard]] LaneEnd start_of(const Execution& execution) const;
  bool evaluate_work(std::int32_t id, const LaneEnd& start);
  bool evaluate_send(std::int32_t id, const LaneEnd& start);
  bool evaluate_take(std::int32_t id, const LaneEnd& start);
  std::int32_t add_operands(const Execution& execution);
  void add_output_space(const Execution& execution, std::int32_t cost);
  bool store_times(std::int32_t id, Lateness late);
  [[nodiscard]] Question question(std::int32_t id, std::int32_t count, std::int64_t floor, std::int32_t step) const;
  bool finish(std::int32_t id, LaneEnd end, bool progress);
  bool send_controls(std::int32_t id, LaneEnd& end, bool& progress);
  [[nodiscard]] std::int64_t space_for_control(const Message& message) const;
  void mark_takes(const Execution& execution, bool all);

  void mark_transit(std::int32_t id) { worklist_.add(trace_.transits[at(id)].order); }
  void mark_execution(std::int32_t id) { worklist_.add(trace_.executions[at(id)].order); }
  [[nodiscard]] bool is_complete(std::int32_t transit) const {
    return transits_[transit].known == message_of(trace_.transits[at(transit)]).wavelets();
  }
  /// Looked at in this window: what is not known of it comes later.
  [[nodiscard]] bool was_seen(std::int32_t item) const { return windowed_ && seen_[at(item)] == window_; }
  [[nodiscard]] const Message& message_of(const Transit& transit) const { return trace_.messages[at(transit.message)]; }
  [[nodiscard]] const OperationShape& shape_of(const Execution& execution) const {
    return cells_.shape(execution.node).operations[at(execution.operation)];
  }

  const Cells& cells_;
  const Trace& trace_;
  std::int32_t hop_;            ///< cycles from router to router
  std::int32_t ramp_;           ///< T_R
  std::int32_t link_capacity_;  ///< of the queue behind a link
  std::int32_t out_capacity_;   ///< from a processor to its router
  std::int32_t in_capacity_;    ///< from a router to its processor
  bool short_buffers_;          ///< some queue is too short for a stream at full rate
  Sequences transits_;
  Sequences executions_;
  std::vector<LaneEnd> ends_;  ///< of each execution
  std::vector<std::int64_t>
      control_at_;                  ///< of each message: when its control wavelet enters the ramp; negative: unknown
  std::vector<Lateness> late_;      ///< of each transit
  std::vector<Lateness> late_use_;  ///< of each execution
  std::vector<std::uint8_t> met_;   ///< of each transit: a lower color was in its way
  std::vector<Run> control_run_;    ///< scratch
  std::vector<Directions> sides_;   ///< of each cell: where its transits leave
  std::vector<std::int32_t> hint_;  ///< of each cell: a transit near the times that were asked for last
  std::vector<CellChain> chains_;   ///< scratch
  SendChain send_chain_;
  NumberSet worklist_;
  bool windowed_ = false;
  bool careful_ = false;    ///< in windows: nobody is trusted to be out of the way
  std::int64_t begin_ = 0;  ///< everything before it is certain
  std::int64_t end_ = 0;    ///< nothing from it on is looked for
  std::int32_t window_ = 0;
  std::vector<std::int32_t> seen_;  ///< of each item: the last window in which it was looked at
  std::vector<std::int64_t> next_;  ///< of each item: when it goes on behind the window; negative: it waits for others
  std::vector<std::int64_t> saved_next_;  ///< the same when the window began
  std::vector<std::int32_t> touched_;     ///< items of this window
  std::vector<std::int32_t> pending_;     ///< items that go on behind it
  Solver solver_;
  std::int64_t evaluations_ = 0;
};

}  // namespace muster::wafer
