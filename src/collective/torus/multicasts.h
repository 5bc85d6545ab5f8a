// Multicasts from one rank to all others.
#pragma once

#include <vector>

#include "collective/torus/tile_rounds.h"

namespace muster {

struct MulticastToAll {
  NodeId from = 0;
  SpanId what = 0;
  Buffer sent = Buffer::input;  ///< of the sender; it ends up in everybody's output
  int noc = 0;
  std::int32_t lane = 0;
  std::vector<StepId> after = {};  ///< the step, of another lane, that each rank waits for; empty: none
};

/// A step of each rank: the sender's, and those of the others, which store it.
void write_multicast(ScheduleBuilder& builder, const Torus& torus, TileStreams& streams, const MulticastToAll& message);

}  // namespace muster
