// What Muster can do with programs of the bus.
#pragma once

#include "backend/capabilities.h"

namespace muster::bus {

const Lowering& lowering();
const Simulator& message_simulator();
const Checker& checker();
const Emitter& listing_emitter();

}  // namespace muster::bus
