// What was cut into pieces because an instruction works on one run of elements (lower/pieces.cpp), as one operation again.
//
// Where operations have no start-up and no gap, a piece that only takes, or only sends, goes on in the cycle after the piece before it. So
// the pieces move as one operation would, and what they send is as one message: each wavelet has the same cycle, and there is one message to
// follow instead of one for each piece.
#pragma once

#include <optional>

#include "backend/wafer/program.h"

namespace muster::wafer {

/// The program with operations of several runs of elements; nothing if there are no pieces to join.
std::optional<WaferProgram> with_joined_pieces(const WaferProgram& program);

}  // namespace muster::wafer
