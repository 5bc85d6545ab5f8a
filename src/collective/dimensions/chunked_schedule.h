// The schedule that a plan of chunks stands for: phases along dimensions, in the order in which they begin. Phases of one
// dimension are to be sent in the order of the list.
#pragma once

#include "collective/dimensions/scheduler.h"
#include "schedule/schedule.h"

namespace muster {

/// In place in `input`. For all but an allreduce the words are a multiple of the NPUs: a chunk takes an equal
/// slice of every NPU's block, so that each ends (or begins) with its own. For an allreduce a chunk is a range.
Schedule chunked_schedule(const ChunkedCollective& collective, const ChunkPlan& plan);

}  // namespace muster
