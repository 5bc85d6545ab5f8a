// The times of a trace: when each wavelet of each message passes each router, and when each operation uses each element.
//
// The rules of the cycle engine say of every sequence of events when the next one may happen: not before the wavelet has
// arrived, one per cycle, only into a buffer that had space at the start of the cycle, and not in a cycle in which a lower
// color takes the link. All rules refer to earlier cycles only. So times that satisfy every rule, each being the earliest that
// the rules allow, are the times of the simulation: by induction over cycles there are no others. The timing finds them by
// evaluating each sequence from the current times of the others until nothing changes (a fixed point).
//
// This is first done for all time at once, from sources to sinks: enough if streams do not contend. If they do, wrong guesses
// of who is first are slow to disappear, because a stream that is believed to be late fills buffers that keep it late. Then time
// is cut into windows: a guess extends no further than the window, and everything before it is final. A window grows while it
// converges quickly and shrinks when it does not. At the end every rule is checked once more. A window assumes that items that
// were stuck before it and have not been evaluated since block nothing, which is fast and nearly always true; if the check finds
// otherwise, everything is repeated without that assumption.
#pragma once

#include <cstdint>
#include <string>

#include "backend/wafer/stream/execution_rules.h"
#include "backend/wafer/stream/transit_rules.h"

namespace muster::wafer {

class Timing {
 public:
  /// `starts`: see Times.
  Timing(const Cells& cells, const Trace& trace, std::span<const LaneEnd> starts = {})
      : times_(cells, trace, starts),
        window_(trace),
        transits_(times_, window_, solver_),
        executions_(times_, window_, solver_) {}
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

  /// What in this trace is not modelled; empty if everything is.
  [[nodiscard]] std::string unsupported() const;

  /// Finds the times. False if they do not converge within this many evaluations.
  bool run(std::int64_t most);
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

  /// Cycles in which an execution uses its elements, or sends them (Kind::send).
  [[nodiscard]] Runs used(std::int32_t execution) const { return times_.executions[execution]; }
  [[nodiscard]] const LaneEnd& end(std::int32_t execution) const { return times_.ends[at(execution)]; }
  /// Cycles in which a transit moves its wavelets.
  [[nodiscard]] Runs moved(std::int32_t transit) const { return times_.transits[transit]; }

 private:
  bool evaluate(std::int32_t item);
  bool settle(std::int64_t most);
  bool settle_in_windows(std::int64_t most, bool careful);
  bool settle_window();
  bool every_rule_holds();

  Times times_;
  Window window_;
  Solver solver_;
  TransitRules transits_;
  ExecutionRules executions_;
  std::int64_t evaluations_ = 0;
};

}  // namespace muster::wafer
