// When steps begin and end: the events of a schedule and what each must wait for. Longest paths through them give depth,
// distance and the critical path.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "schedule/schedule.h"

namespace muster {

/// "Step i begins" is event 2 i, "step i ends" is event 2 i + 1.
using Event = std::int32_t;
inline Event begin_of(StepId step) { return 2 * step; }
inline Event end_of(StepId step) { return 2 * step + 1; }
inline StepId step_of(Event event) { return event / 2; }

inline constexpr StreamId kNoStream = -2;

/// `to` comes no earlier than `from`.
struct Dependence {
  Event from = 0;
  Event to = 0;
  StreamId stream = kNoStream;  ///< the message that leads from one to the other, if one does
  std::int64_t words = 0;       ///< that must pass in between
};

/// All dependences of a flat schedule. A step lasts as long as its words. A message leads from the beginning and the end
/// of the step that pushes it to those of the steps that take it, word by word. An exchange sends old elements and takes
/// others at the same time, so its messages leave from its beginning, and none holds up the beginning of one.
std::vector<Dependence> dependences_of(const Schedule& schedule);

/// Visits dependences so that all that lead to an event come before all that lead away from it. The schedule's waits
/// have no cycle.
void visit_in_order(std::size_t events, const std::vector<Dependence>& dependences,
                    const std::function<void(const Dependence&)>& visit);

}  // namespace muster
