// The calls of a processor as entries of the table that its kernel walks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/torus/program.h"

namespace muster::torus {

/// The calls of one processor, as text: a constructor of calls.h and its arguments each.
///
/// The three processors behind compute() work side by side: unpacking runs ahead of packing. Where a call reads tiles that an earlier
/// one packed, an entry settle() is put before it: it waits until they are in memory.
std::vector<std::string> entries_of(const TorusProgram& program, NodeId rank, Processor processor);

/// A worker in logical coordinates, which do not depend on the rows that a chip lacks: "core(3, 0)".
std::string core_text(const Torus& torus, NodeId node);

}  // namespace muster::torus
