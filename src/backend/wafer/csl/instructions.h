// What CSL computes elements with, and where that takes longer than the program that is simulated.
#pragma once

#include <string>
#include <vector>

#include "backend/wafer/program.h"

namespace muster::wafer {

/// "@fadds": the vector instruction that combines, or nothing if there is none.
std::string combine_instruction(const Arithmetic& arithmetic);

/// "@fnegs": where values must be negated before they are combined, and the result after; else nothing.
std::string negate_instruction(const Arithmetic& arithmetic);

/// "left + right": the combination as a function of one element each, which @map applies to all.
std::string combine_function(const Arithmetic& arithmetic);

/// "@fmovs": the vector instruction that moves.
std::string move_instruction(ElementType type);

/// Why the CSL program takes longer than the simulated one: a sentence for each reason.
std::vector<std::string> csl_remarks(const WaferProgram& program);

}  // namespace muster::wafer
