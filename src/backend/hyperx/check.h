// What can be seen to be wrong in registers without running them.
#pragma once

#include <optional>

#include "backend/hyperx/wiring.h"
#include "result/result.h"

namespace muster::hyperx {

/// Registers that mean nothing: switches, ids or ports that the machine does not have, rows out of order or twice, rows without
/// inputs or outputs, and links or memories that two rows of one id use. Everything else needs registers that pass this.
std::optional<Fault> check_form(const HyperXProgram& program);

/// Rows that cannot work together: an input that nobody feeds, an output that nobody reads, rows that wait for each other in a
/// circle.
std::optional<Fault> check_wiring(const Wiring& wiring, const RowOrder& order);

/// Both. Registers without a fault run to their end: within an id data goes from row to row without a circle, and a free place
/// is waited for only by later packets; ids wait for lower ids alone.
std::optional<Fault> check(const HyperXProgram& program);

}  // namespace muster::hyperx
