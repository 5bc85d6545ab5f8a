// What Muster can do with wafer programs, for the table in backend/registry.cpp.
#pragma once

#include "backend/capabilities.h"

namespace muster::wafer {

const Lowering& lowering();
/// Follows streams as intervals in time; falls back to the cycle simulator where that would not be exact.
const Simulator& stream_simulator();
/// Moves every wavelet in every cycle.
const Simulator& cycle_simulator();
const Checker& checker();
const Emitter& csl_emitter();
const Reader& csl_reader();

}  // namespace muster::wafer
