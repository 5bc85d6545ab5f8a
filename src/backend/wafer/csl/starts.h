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

/// How the descriptors of an instruction are called.
struct DescriptorNames {
  std::string in, out, control, own, store, sent;
};

/// The instructions of one action, with 4 spaces before each; the asynchronous one activates `step` when it is done.
std::string csl_instructions(const CslProgram& csl, CslAction action, const DescriptorNames& names);

/// What a fabric descriptor is for.
enum class FabricUse : std::uint8_t { in, out, control };

/// "@get_dsd(fabin_dsd, .{ .extent = ..., ... })". Extent and color are expressions, the latter of an index into color_ids.
std::string csl_fabric_descriptor(const CslProgram& csl, FabricUse use, const std::string& extent,
                                  const std::string& color, const std::string& extra);

/// For each slot n of the operation lists: action_n, the descriptors and fn start_n.
std::string csl_starts(const CslProgram& csl);

}  // namespace muster::wafer
