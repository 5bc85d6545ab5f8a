// Times packet by packet, until they repeat.
#pragma once

#include <cstdint>
#include <span>

#include "backend/hyperx/lines.h"

namespace muster::hyperx {

struct BlockRun {
  std::int64_t packets = 0;  ///< times of one row's packet that were computed
  bool has_period = false;
};

/// Sets the times of the id's rows. Packets are looked at in blocks of buffer_packets: what passes a packet on depends on the
/// present block and the one before it alone, and adding a time to all of these adds it to all that follows. So if a block of
/// all rows that are joined is that before it, later by one and the same time, then so are all blocks that follow.
BlockRun follow_blocks(const IdRun& run, std::span<RowTimes> times);

}  // namespace muster::hyperx
