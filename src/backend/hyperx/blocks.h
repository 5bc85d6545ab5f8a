// Times packet by packet, until they become periodic.
#pragma once

#include <cstdint>
#include <span>

#include "backend/hyperx/lines.h"

namespace muster::hyperx {

struct BlockRun {
  std::int64_t packets = 0;  ///< times of one row's packet that were computed
  bool has_period = false;
};

/// Sets the times of the id's rows. Packets are evaluated in blocks of buffer_packets: the times of a block depend only on
/// the previous block, and adding a constant to these adds it to all that follow. So if the times of a block of all connected rows
/// are those of the previous block plus a constant, the same holds for all following blocks.
BlockRun follow_blocks(const IdRun& run, std::span<RowTimes> times);

}  // namespace muster::hyperx
