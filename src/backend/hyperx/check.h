// Static checks of registers.
#pragma once

#include <optional>

#include "backend/hyperx/wiring.h"
#include "result/result.h"

namespace muster::hyperx {

/// Invalid registers: switches, ids or ports that the machine does not have, rows out of order or twice, rows without
/// inputs or outputs, and links or memories that two rows of one id use. Everything else needs registers that pass this.
std::optional<Fault> check_form(const HyperXProgram& program);

/// Rows that cannot work together: an input that no row feeds, an output that no row reads, rows that form a cycle of waits.
std::optional<Fault> check_wiring(const Wiring& wiring, const RowOrder& order);

/// Both. Registers without a fault terminate: within an id, data flows from row to row without a cycle, and only later packets
/// wait for a credit; ids wait only for lower ids.
std::optional<Fault> check(const HyperXProgram& program);

}  // namespace muster::hyperx
