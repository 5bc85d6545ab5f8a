// What Muster can do with a network-on-chip, for the table in backend/registry.cpp.
#pragma once

#include "backend/capabilities.h"

namespace muster::torus {

/// Runs lists of transactions, flit by flit.
const TrafficSimulator& traffic_simulator();

}  // namespace muster::torus
