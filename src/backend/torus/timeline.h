// What the processors of a program did when, for pictures, and what its end hung on.
#pragma once

#include "backend/torus/call_log.h"
#include "backend/torus/program.h"
#include "result/timeline.h"

namespace muster::torus {

/// A track per processor: those on the critical path first, in its order, then others by their number, up to 32. `last`: the call that
/// gave the last core its result.
Timeline timeline_of(const TorusProgram& program, const CallLog& log, CallNumber last);

}  // namespace muster::torus
