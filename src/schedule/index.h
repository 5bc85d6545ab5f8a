// The index of a flat schedule: where each step runs, which step pushes each stream and which steps take it.
#pragma once

#include <vector>

#include "base/adjacency.h"
#include "base/index.h"
#include "schedule/schedule.h"

namespace muster {

inline constexpr StepId kNoStep = -1;

/// Stream numbers of operands and outputs must be in range; everything else may be unchecked.
struct ScheduleIndex {
  explicit ScheduleIndex(const Schedule& flat);

  std::vector<std::int32_t> lane_of;  ///< of each step: index into Schedule::lanes
  std::vector<NodeId> node_of;        ///< of each step
  std::vector<StepId> producer;       ///< of each stream: the first step that pushes it, or kNoStep
  Adjacency takers;                   ///< of each stream: the steps that take it, in order, so by node

  /// The previous step in its lane, or kNoStep.
  [[nodiscard]] StepId before(StepId step) const {
    return step > 0 && lane_of[at(step - 1)] == lane_of[at(step)] ? step - 1 : kNoStep;
  }
  /// The next step in its lane, or kNoStep.
  [[nodiscard]] StepId behind(StepId step) const {
    return at(step) + 1 < lane_of.size() && lane_of[at(step + 1)] == lane_of[at(step)] ? step + 1 : kNoStep;
  }
  /// Whether exactly one step of each sink takes the stream, and no other step does.
  [[nodiscard]] bool each_sink_takes(const Schedule& flat, StreamId stream) const;
};

/// The index of an unverified schedule. Throws InputError that names the node and the step, or the stream, if a
/// number is out of range or a stream is not pushed exactly once by its source and taken exactly once by each sink.
ScheduleIndex checked_index(const Schedule& flat);

/// Of each step: the steps that wait for it. All waits are for steps that exist.
Adjacency waiting_steps(const Schedule& flat);

/// Whether the stream has elements; no step waits for an empty one.
inline bool carries_data(const Schedule& flat, StreamId stream) {
  return flat.spans.count(flat.streams[at(stream)].elements) > 0;
}

}  // namespace muster
