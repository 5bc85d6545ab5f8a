// The same schedule with one destination per step, as vector instructions have: a step stores, or pushes one stream.
//   - What takes a stream, stores and pushes becomes a step that takes and stores, and one per stream that sends what was
//     stored: a pass over the elements more for each.
//   - What sends its own elements on several streams, or sends and stores them, becomes one step per stream and, last, one
//     that stores.
// Elements that lie in place already are not stored again. Left as they are: exchanges, which are two instructions anyway, and what takes a stream and pushes several without
// storing: there is no place to send from.
#pragma once

#include <optional>

#include "schedule/schedule.h"

namespace muster {

/// Nothing if every step of a flat schedule is that way already. What waited for a step waits for the last of its parts.
/// Elements that a step sends later than it took them are held up longer: find_wait_cycle() (verify.h) says whether that
/// is still free of deadlock.
std::optional<Schedule> with_one_destination(const Schedule& schedule);

}  // namespace muster
