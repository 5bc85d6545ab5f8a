// Shortest distances between switches, over any links, in picoseconds: default routes are not always the shortest.
#pragma once

#include <vector>

#include "machine/hyperx.h"

namespace muster {

inline constexpr Ticks kNoWay{-1};

/// From one switch to every switch (by the number of its core); kNoWay past what has failed. Linear in the machine.
std::vector<Ticks> distances_from(const HyperX& hyperx, NodeId from);

}  // namespace muster
