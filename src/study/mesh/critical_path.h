// The critical path of a schedule on a mesh: the messages and steps that its end hangs on, in a fabric in which messages
// do not get into each other's way.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/machine.h"
#include "schedule/schedule.h"

namespace muster {

/// A message on its way, or a processor that works through words.
struct PathPiece {
  enum class Kind { message, words };
  Kind kind = Kind::words;
  Cycles begin;
  Cycles end;
  NodeId from = 0;         ///< a message's source; else the processor
  NodeId to = 0;           ///< the same, or where the message goes
  std::int64_t hops = 0;   ///< of a message
  std::int64_t words = 0;  ///< that are worked through
  bool sends = false;      ///< it takes none of them from a stream: it sends or copies its own
};

struct CriticalPath {
  std::vector<PathPiece> pieces;  ///< in order of time, without gaps
  Cycles end;                     ///< when the last step ends
  Cycles words;                   ///< of that: a word per cycle
  Cycles hops;                    ///< between routers
  Cycles ramps;                   ///< up and down ramps, and to combine: what depth costs
};

/// Of a flat schedule that verify() has accepted, on a mesh. Timing as of the ideal machine: a message is on its way for
/// its hops and two ramps, and one cycle more if its sender combines; a step takes a cycle per word that it takes, and
/// begins when the step before it in its lane has ended. The simulator is never faster, except where lanes share work.
CriticalPath critical_path(const Schedule& schedule, const Machine& machine);

}  // namespace muster
