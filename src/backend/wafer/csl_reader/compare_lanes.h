// Classes of programs with lanes, coefficients and repetitions, as texts that are equal if they do the same instructions.
#pragma once

#include <string>
#include <vector>

#include "backend/wafer/program.h"

namespace muster::wafer {

/// A text for each class: its routes, and for each lane its vector instructions and what they wait for. It does not depend on how instructions
/// are gathered into operations, on names and numbers of coefficients, nor on lanes that follow each other anyway.
std::vector<std::string> lane_texts(const WaferProgram& program);

}  // namespace muster::wafer
