// The flooding scatter as a building block (scatter_flood.cpp).
#pragma once

#include "collective/algorithm.h"
#include "collective/grid/flood.h"

namespace muster {

/// The root sends the blocks of all others, those of the farthest first; every PE stores what it receives, and then has its own block in
/// `buffers.to`.
void write_scatter(ScheduleBuilder& builder, const Request& request, FloodBuffers buffers);

/// When the last block has come to its PE; the root's own, which is moved last, only if it has to be.
Cycles scatter_cycles(const Request& request, bool moves_own = true);

}  // namespace muster
