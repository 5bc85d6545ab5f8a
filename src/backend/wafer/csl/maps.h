// What differs between PEs, as a layout holds it: tables, maps from PEs to their rows, and the look-up of one PE. The same
// text serves the layout of a whole program and the layout's side of a module.
#pragma once

#include <string>
#include <string_view>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// The constants of the colors: from `color_ids`, which is declared here unless it is a parameter.
std::string csl_color_constants(const CslProgram& csl);

/// Routes, lists, maps and the functions that expand them.
std::string csl_layout_tables(const CslProgram& csl);

/// The maps from PEs to rows, compressed, and the function that expands one.
std::string csl_maps(const CslProgram& csl);

/// "const list_of = expand(0);", one per map.
std::string csl_expansions(const CslProgram& csl, std::string_view indent);

/// Where the rows of PE `pe` begin.
std::string csl_row_starts(const CslProgram& csl);

/// Its list of operations.
std::string csl_list_parameter(const CslProgram& csl);

/// Parameters of a PE besides its list; of an idle one: none of its numbers matters.
std::string csl_own_parameters(const CslProgram& csl, bool idle);

}  // namespace muster::wafer
