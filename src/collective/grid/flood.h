// The flood as a building block: one multicast stream from a root to all others.
#pragma once

#include <span>

#include "base/units.h"
#include "machine/machine.h"
#include "machine/mesh.h"
#include "schedule/builder.h"

namespace muster {

/// The buffers: where the root has the words, and where all store them.
struct FloodBuffers {
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;
};

/// The root sends the words `all`, and all nodes store them: the root, unless they are already there, and every one of `others`,
/// none of which is the root.
void write_flood(ScheduleBuilder& builder, NodeId root, std::span<const NodeId> others, SpanId all,
                 FloodBuffers buffers);

/// Lemmas 4.1 and 7.1 for any root: Equation (1) with the distance of the farthest of all processors of the mesh. Zero
/// if the root is alone. The root's start-up comes before it, and a single buffer takes a word every other
/// cycle.
Cycles flood_cycles(const Mesh& mesh, NodeId root, std::int64_t count);

}  // namespace muster
