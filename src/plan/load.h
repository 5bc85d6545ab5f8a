// What a schedule asks of a machine, whatever algorithm made it: the terms by which plans are explained.
#pragma once

#include <cstdint>

#include "machine/machine.h"
#include "schedule/schedule.h"

namespace muster {

struct Load {
  std::int64_t depth = 0;     ///< longest sequence of messages in which each needs the previous one
  std::int64_t hops = 0;      ///< words times hops, over all streams
  std::int64_t transits = 0;  ///< routers that streams pass, over all streams: what does not grow with the vector
  std::int64_t port = 0;      ///< words into or out of the busiest node, whichever is more
  std::int64_t queue = 0;     ///< words that follow one another on the longest path: what is stored whole is waited for
  bool of_phases = false;     ///< depth and queue are not known: phases overlap as their groups come to them
  bool operator==(const Load&) const = default;
};

/// Of a schedule that verify() has accepted. Groups of a phase count as alike. Linear in the size of what is written. A multicast stream on
/// default routes counts at most one hop per node, which is exact when it reaches all of them.
Load load_of(const Schedule& schedule, const Machine& machine);

}  // namespace muster
