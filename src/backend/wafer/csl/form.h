// What of a wafer program has no instruction of its own in CSL, rewritten as what has. An instruction has one
// destination and works on evenly spaced elements, so
//   - a step that receives, stores and sends becomes one that receives and stores, and one that sends what was stored;
//   - a step that sends on several colors becomes one per color;
//   - a step on scattered elements becomes one per contiguous piece;
//   - an exchange without elements on one side is a plain send or a plain receive.
// The data are the same; a pass over the vector that the wafer program has for free takes time in its CSL form.
#pragma once

#include "backend/wafer/program.h"

namespace muster::wafer {

/// The program as CSL says it. Equal to `program` where every operation has an instruction.
WaferProgram csl_form(const WaferProgram& program);

}  // namespace muster::wafer
