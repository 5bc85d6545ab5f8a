// Multicasts: from one rank to all others, or of everybody's blocks to everybody.
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

/// How everybody's blocks get to everybody.
enum class MulticastPhases : std::uint8_t {
  rows_then_columns,  ///< every rank sends its blocks to its row, and then those of its row to its column
  at_once,            ///< every rank sends its blocks to all others: most of them wait for the paths of others
};

/// "phases".
ParameterSpec multicast_phases_parameter();
MulticastPhases multicast_phases(const Parameters& parameters);

struct GatheredBlocks {
  std::vector<std::vector<Range>> own;  ///< by rank; empty: none
  Buffer held_in = Buffer::input;       ///< before; in the end everything is in `output`
  std::int32_t first_lane = 0;
  std::vector<StepId> after = {};  ///< the step, of another lane, that each rank waits for; empty: none
};

/// Half of the multicasts go on each NoC.
void write_multicasts(ScheduleBuilder& builder, const Torus& torus, TileStreams& streams, MulticastPhases phases,
                      const GatheredBlocks& blocks);

}  // namespace muster
