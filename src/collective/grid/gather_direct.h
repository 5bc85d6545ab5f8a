// The steps of the direct gather, for algorithms that begin with one.
#pragma once

#include "collective/algorithm.h"
#include "schedule/builder.h"

namespace muster {

/// Every rank holds its block in its input; afterwards the request's root has all of them in its output. Lane 0.
void write_direct_gather(ScheduleBuilder& builder, const Request& request);

/// When it has them.
Cycles direct_gather_cycles(const Request& request);

}  // namespace muster
