// The part of pe.csl that starts operations, and the names that it shares with the tables.
#pragma once

#include <string>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// "COMBINE_AND_SEND": the constant of pe.csl.
std::string action_name(CslAction action);
/// "INPUT": the constant of pe.csl.
std::string buffer_constant(Buffer buffer);

/// The table of pe.csl with the queues that colors are taken from, or sent to: one for both, if they are the same.
std::string queue_table(const CslProgram& csl, bool taken);

/// The column of what an exchange sends; behind it, where operations work on parts, its first element and its length.
int csl_sent_column(const CslProgram& csl);

/// The column behind all of these: at the end of a loop, how many places back it begins.
int csl_back_column(const CslProgram& csl);

/// For each place n in the operation lists: action_n, the descriptors and fn start_n.
std::string csl_starts(const CslProgram& csl);

}  // namespace muster::wafer
