// What the timing of a trace works on: latencies and queues of the fabric, and the times that are known so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/wafer/stream/runs.h"
#include "backend/wafer/stream/trace.h"
#include "machine/mesh.h"

namespace muster::wafer {

struct FabricTiming {
  explicit FabricTiming(const Mesh& mesh);
  std::int32_t hop;            ///< cycles from router to router
  std::int32_t ramp;           ///< T_R
  std::int32_t link_capacity;  ///< of the queue at the end of a link
  std::int32_t out_capacity;   ///< from a processor to its router
  std::int32_t in_capacity;    ///< from a router to its processor
  bool short_buffers;          ///< some queue is too short for a stream at full rate
};

/// The state of a processor after an execution.
struct LaneEnd {
  std::int64_t next = 0;      ///< the first cycle in which the next operation can start
  std::int64_t finish = 0;    ///< the cycle in which this execution ended
  std::int64_t datapath = 0;  ///< free from here on
  std::int64_t ramp = 0;      ///< free from here on
  bool known = false;
  bool operator==(const LaneEnd&) const = default;
};

enum class Lateness : std::uint8_t {
  on_time,
  late,   ///< some wavelet had to wait
  stuck,  ///< some wavelet waits beyond the window
};

/// The times of a trace, as far as they are known. The rules (transit_rules.h, execution_rules.h) change them.
struct Times {
  Times(const Cells& all_cells, const Trace& all, std::span<const LaneEnd> begin);

  const Cells& cells;
  const Trace& trace;
  const std::span<const LaneEnd>
      starts;  ///< of each processor: the state in which it begins; empty: all begin in cycle 0
  const FabricTiming fabric;
  Sequences transits;         ///< cycles in which a transit moves its wavelets
  Sequences executions;       ///< cycles in which an execution uses its elements, or sends them
  std::vector<LaneEnd> ends;  ///< of each execution
  std::vector<std::int64_t>
      control_at;  ///< of each message: when its control wavelet enters the ramp; negative: unknown
  std::vector<Lateness> transit_lateness;    ///< of each transit
  std::vector<Lateness> execution_lateness;  ///< of each execution

  void forget();
  /// Discards the times of an item of the trace's order from `cycle` on.
  void forget_from(std::int32_t item, std::int64_t cycle);

  [[nodiscard]] const Message& message_of(const Transit& transit) const { return trace.messages[at(transit.message)]; }
  [[nodiscard]] const OperationShape& shape_of(const Execution& execution) const {
    return cells.shape(execution.node).operations[at(execution.operation)];
  }
  /// Whether all wavelets of a transit have a time.
  [[nodiscard]] bool is_complete(std::int32_t transit) const {
    return transits[transit].known == message_of(trace.transits[at(transit)]).wavelets();
  }
};

}  // namespace muster::wafer
