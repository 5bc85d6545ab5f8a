// What Muster can do with a network-on-chip, for the table in backend/registry.cpp.
#pragma once

#include "backend/capabilities.h"

namespace muster::torus {

/// Schedules become the calls of every core's processors.
const Lowering& lowering();
/// Runs programs, flit by flit.
const Simulator& flit_simulator();
/// Programs as files for TT-Metalium.
const Emitter& metalium_emitter();
/// What a run of a program sends, for tt-npe.
const Emitter& npe_emitter();
/// Runs lists of transactions, flit by flit.
const TrafficSimulator& traffic_simulator();
/// Runs files for TT-Metalium.
const KernelSimulator& kernel_simulator();

}  // namespace muster::torus
