// The module form: a collective that a user's program imports. Two files: one for the layout, which sets the routes and
// says what each PE needs, and one for the PE, with `init` and the collective itself. An example that uses both lies beside
// them. The user calls it like the vendor's <collectives_2d>: with pointers, a count and the task to activate at the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/emitter.h"
#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// "all_to_all": the module's function, and its files' name.
std::string csl_function_name(const CslProgram& csl);

/// A vector that the caller gives: its buffer, and how the parameter is called.
struct CslArgument {
  CslBuffer buffer;
  std::string_view name;
};
/// In the order in which the function takes them.
std::vector<CslArgument> csl_arguments(const CslProgram& csl);

/// A constant of the PE's module that its user may choose: "queue_ids" and "[2]u16 { 2, 3 }".
struct CslChoice {
  std::string name;
  std::string type;
  std::string value;
};
/// Queues that are the same on all PEs.
std::vector<CslChoice> csl_queue_choices(const CslProgram& csl);

std::string csl_module(const CslProgram& csl, const EmitOptions& options);
std::string csl_module_layout(const CslProgram& csl, const EmitOptions& options);

std::string csl_example(const CslProgram& csl, const EmitOptions& options);
std::string csl_example_layout(const CslProgram& csl, const EmitOptions& options);

}  // namespace muster::wafer
