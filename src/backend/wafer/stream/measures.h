// What a run of a program amounts to: loads, which do not depend on times, and when processors are done.
#pragma once

#include <vector>

#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/stream/progress.h"
#include "backend/wafer/stream/timing.h"
#include "result/result.h"

namespace muster::wafer {

/// What passes each router and works in each processor.
class TrafficCounter {
 public:
  TrafficCounter(const Cells& cells, const Trace& trace);
  std::vector<Traffic> traffic;
  std::int64_t hops = 0;

 private:
  void add(const Transit& transit);
  void add(const Execution& execution);
  const Cells& cells_;
  const Trace& trace_;
};

LinkUse link_use(const Cells& cells, const Trace& trace, const Timing& timing);

/// The state of each processor after its last execution; not known: it does nothing. Of programs with one lane.
std::vector<LaneEnd> lane_ends(const Cells& cells, const Trace& trace, const Timing& timing);

/// By call and node.
std::vector<std::vector<NodeTimes>> node_times(const Cells& cells, const Trace& trace, const Timing& timing,
                                               const DataContract& contract, int calls);

}  // namespace muster::wafer
