// The same collective in place: input and output become one buffer, which halves the memory that a vector needs.
#pragma once

#include "schedule/schedule.h"

namespace muster {

/// The schedule with every use of `output` turned into one of `input`, and contracts to match: a root in
/// place holds its vector where all ranks do. Whether it is still
/// correct depends on the schedule (a step may read an input that was overwritten): verify() decides. Phases are expanded.
Schedule in_place(Schedule schedule);

}  // namespace muster
