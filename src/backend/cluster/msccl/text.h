// MSCCL XML: an Algo as text, and back.
#pragma once

#include <string>
#include <string_view>

#include "backend/cluster/msccl/algo.h"

namespace muster::msccl {

/// `comment`, if any, is above the algorithm.
std::string write_xml(const Algo& algo, std::string_view comment);

/// Throws InputError "file:line: ..." for what is no MSCCL algorithm: unknown or missing attributes, numbers out of range,
/// addresses outside the buffers, steps whose peers or dependencies do not exist, connections with more than one end.
Algo read_xml(std::string_view text, std::string_view file);

/// "allreduce", as the format spells it; nothing for collectives that it does not have.
std::string_view coll_name(Collective collective);

}  // namespace muster::msccl
