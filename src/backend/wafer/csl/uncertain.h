// What in an emitted program the vendor's documentation does not settle. The list of docs/wafer.md has the same entries.
#pragma once

#include <string>
#include <vector>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// A sentence per entry that this program has.
std::vector<std::string> csl_uncertainties(const CslProgram& csl);

/// Whether some switch position changes input and output side; only on machines whose file says that it may.
bool changes_both_sides(const CslProgram& csl);

}  // namespace muster::wafer
