// The same schedule with one destination per step, as vector instructions have: a step stores, or pushes one stream.
//   - What takes a stream, stores and pushes becomes a step that takes and stores, and one per stream that sends what was
//     stored: a pass over the elements more for each.
//   - What sends its own elements on several streams, or sends and stores them, becomes one step per stream and, last, one
//     that stores.
// Elements that are already in place are not stored again. Unchanged: exchanges, which are two instructions anyway, and steps that
// take a stream and push several without storing, since there is no buffer to send from.
#pragma once

#include <optional>

#include "schedule/schedule.h"

namespace muster {

/// Nothing if every step of a flat schedule has one destination already. What waited for a step waits for the last of its parts.
/// Elements are then sent later than they were taken: find_wait_cycle() (verify.h) checks that the result is still free of
/// deadlock.
std::optional<Schedule> with_one_destination(const Schedule& schedule);

}  // namespace muster
