// The commands that people type after a plan: simulate its winner, and write it as code.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "plan/plan.h"

namespace muster {

/// The command lines of `simulate` and `emit` that ask the same question as `plan` did with these arguments, for the first
/// candidate of its answer: with the flags as they were typed, the root that was chosen, and the parameters that are not the
/// algorithm's defaults. None where nothing fits or everything failed.
std::vector<std::string> next_commands(const Arguments& arguments, const Job& job, const PlanAnswer& answer);

}  // namespace muster
