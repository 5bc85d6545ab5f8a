// What ASTRA-sim 1.0 would do, where that differs from Themis' paper, so that results can be compared with that tool's.
#pragma once

#include "collective/dimensions/scheduler.h"

namespace muster {

/// Loads start at 0, the threshold counts both passes, and equal loads keep the order of the previous chunk.
std::vector<DimensionOrder> astra_themis_orders(const ChunkedCollective& collective);

/// A dimension works on one chunk at a time. With `smallest`, a new chunk goes before those of its size, and a chunk that
/// reaches its second to last stage goes to the end. With `fuses_last`, a chunk's reduce-scatter and allgather in its last
/// dimension are one stage, which nothing else comes between.
ChunkPlan astra_plan(const ChunkedCollective& collective, const std::vector<DimensionOrder>& orders, SendFirst first,
                     bool fuses_last);

}  // namespace muster
