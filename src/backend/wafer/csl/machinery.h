// What a whole program and a module have in common on a PE: the table of operations, their descriptors, and the task that
// starts one after another.
#pragma once

#include <string>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// What a form of the program says in its own words.
struct OwnText {
  std::string memory;  ///< the vectors, or the descriptors of those that a call gives
  std::string task;    ///< the constant step_id, if it is not a parameter
  std::string then;    ///< " and the host may send its next command": what the end means
  std::string done;    ///< the statement that says so
};

/// From the names of the actions to the end of task `step`.
std::string csl_machinery(const CslProgram& csl, const OwnText& own);

/// What the fabric's ends need in a comptime block: bound queues, or colors that start no task of their own.
std::string csl_fabric_ends(const CslProgram& csl);

/// How many elements a buffer has: a number, or the name of the parameter.
std::string csl_size_of(const CslProgram& csl, const CslBuffer& buffer);

}  // namespace muster::wafer
