// Reads CSL: from the text of a layout and its processors' programs back to a wafer program, which can be simulated.
//
// What is read: the language as far as programs need it that are set up when they are compiled (parameters, constants,
// structs, arrays, functions, loops; layout and comptime blocks), and tasks that start vector instructions one after
// another or side by side. What is not read is refused with its location. A program whose course depends on the data that
// arrives (data tasks, conditions on received values) has no wafer program.
//
// What cannot be found in the text: the contract. The program has none.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "backend/wafer/csl_reader/source.h"
#include "backend/wafer/program.h"

namespace muster::wafer {

struct CslSource {
  std::map<std::string, std::string> files;       ///< by name, as the layout calls them
  std::string layout = "layout.csl";              ///< the file with the layout block
  std::map<std::string, std::string> parameters;  ///< of the compiler's command line: --params=name:value
  std::string entry;                              ///< the function that the host calls; empty: the only one
  csl::Limits limits;
};

/// The program in the shape of the layout's rectangle, on this machine. Throws InputError with file, line and column.
std::unique_ptr<WaferProgram> read_csl(const CslSource& source, const Machine& machine);

}  // namespace muster::wafer
