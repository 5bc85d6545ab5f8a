// The largest values that the readers of several families allow.
#pragma once

#include <cstdint>
#include <limits>

#include "machine/machine.h"

namespace muster {

inline constexpr std::int32_t kMostNodes = std::numeric_limits<NodeId>::max();
inline constexpr std::int32_t kMostSide = 1'000'000;   ///< of a grid
inline constexpr std::int32_t kMostBuffer = 1 << 20;   ///< slots
inline constexpr std::int32_t kMostPerNode = 1 << 20;  ///< links, semaphores, ...

}  // namespace muster
