// To what a flag applies: every refusal of a flag that would change nothing is made here.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "machine/machine.h"

namespace muster {

/// Throws InputError for a flag of another family: "--grid: piuma is a hyperx; --grid needs a mesh".
void check_family_flags(const Arguments& arguments, const Machine& machine);

/// Throws InputError for the first of `flags` that was given: "--op: a barrier combines nothing; leave it out".
void leave_out(const Arguments& arguments, std::initializer_list<std::string_view> flags, std::string_view reason);

/// The same for flags whose answer is in the file that `source` names: "--count: the schedule of --schedule already determines it; ...".
void leave_to(const Arguments& arguments, std::string_view source, std::string_view what,
              std::initializer_list<std::string_view> flags);

/// Throws InputError if more than one of `flags` was given: they name what the command is about.
void at_most_one(const Arguments& arguments, std::initializer_list<std::string_view> flags);

}  // namespace muster
