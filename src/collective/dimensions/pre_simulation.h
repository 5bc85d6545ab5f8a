// The pre-simulation: which chunk a dimension sends next, for all chunks of a collective, before it runs. It is deterministic
// and depends on nothing that differs between NPUs, so all of them enforce the same order and cannot deadlock (Themis,
// §4.6.2).
#pragma once

#include <cstdint>
#include <vector>

#include "collective/dimensions/network.h"

namespace muster {

struct Timetable {
  std::vector<Begin> begins;
  Ticks end;  ///< when the last chunk has arrived
};

/// One collective that has the network to itself.
Timetable pre_simulate(const ChunkOperations& chunks, std::int32_t dimensions, SendFirst first);

}  // namespace muster
