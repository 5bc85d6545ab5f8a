// Every NPU for itself: what happens where they are not alike.
#pragma once

#include <cstdint>
#include <map>

#include "backend/cluster/program.h"

namespace muster::cluster {

/// In which order an NPU sends what waits for one of its dimensions.
enum class SendOrder : std::uint8_t {
  enforced,  ///< that of the program, the same everywhere
  arrival,   ///< what could be sent first, as this NPU saw it
};

struct Asymmetry {
  SendOrder order = SendOrder::enforced;
  double jitter = 0;  ///< an operation has arrived at an NPU up to this part of its sending time later; seeded
  std::uint64_t seed = 1;
  std::map<NodeId, double>
      slow;  ///< NPUs that need so many times as long to send; a group is as slow as its slowest member
};

/// An operation of a group begins when all members are at it; an NPU is at one operation per dimension, and leaves it only when
/// it was sent. Without asymmetry the times are those of simulate(). The result has no data. If members of a group are at
/// different operations and wait for each other, its fault says who waits for whom.
Result simulate_each(const ClusterProgram& program, const Asymmetry& asymmetry);

}  // namespace muster::cluster
