// The pre-simulation: which chunk a dimension sends next, for all chunks of a collective, before it runs. It is deterministic
// and depends on nothing that differs between NPUs, so all of them enforce the same order, and no two can wait for each other
// (Themis, §4.6.2).
#pragma once

#include <cstdint>
#include <vector>

#include "collective/dimensions/chunk.h"

namespace muster {

/// Which of the chunks that wait for a dimension goes first; chunks that are equal in this, by their numbers.
enum class SendFirst : std::uint8_t {
  arrived,   ///< the one that came first (fifo)
  smallest,  ///< the one that is sent soonest (scf)
  feeding,   ///< the one whose next dimension has the least left to send, so that none runs dry; then the smallest
};

/// Operation `operation` of chunk `chunk`, in the order in which they begin; those that begin at once, by dimension.
struct Begin {
  std::int32_t chunk = 0;
  std::int32_t operation = 0;
  Cycles time;
};

struct Timetable {
  std::vector<Begin> begins;
  Cycles end;  ///< when the last chunk has arrived
};

/// A dimension sends one operation at a time, the next when the last byte of the one before has left; a chunk's next operation
/// can begin when its last one has arrived.
Timetable pre_simulate(const std::vector<std::vector<ChunkOperation>>& chunks, std::int32_t dimensions,
                       SendFirst first);

}  // namespace muster
