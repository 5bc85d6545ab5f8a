// One order of all events of a schedule, from which the calls of all processors are cut: then every wait is for something earlier.
#pragma once

#include <vector>

#include "schedule/index.h"

namespace muster::torus {

struct Event {
  StepId step = 0;
  bool sends = false;  ///< it sends its streams; otherwise it takes its streams, combines and stores
};

/// All steps advance together, one event at a time each.
/// `shares_memory`: what arrives at a node lies at the address of its elements, so a stream is sent when those that were sent there
/// before it have been taken. Then there may be no such order: fewer events are returned.
std::vector<Event> sequence_of(const Schedule& flat, const ScheduleIndex& index, bool shares_memory);

}  // namespace muster::torus
