// What Muster can do with programs of reducing switches, for the table in backend/registry.cpp.
#pragma once

#include "backend/capabilities.h"

namespace muster::hyperx {

/// To registers where switches take part, else to rounds of messages between cores.
const Lowering& lowering();
/// Times as lines, exactly; without moving packets.
const Simulator& line_simulator();
/// Moves packets with data, event by event.
const Simulator& packet_simulator();
const Checker& checker();
const Emitter& register_emitter();
const Reader& register_reader();

}  // namespace muster::hyperx
