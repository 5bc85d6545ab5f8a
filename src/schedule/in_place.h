// The same collective in place: input and output become one buffer, which halves the memory that a vector needs.
#pragma once

#include "schedule/schedule.h"

namespace muster {

/// The schedule with every use of `output` turned into one of `input`, and contracts to match. Whether it is still right
/// depends on the schedule (somebody may read an input that was stored over): verify() says. Phases are written out.
Schedule in_place(Schedule schedule);

}  // namespace muster
