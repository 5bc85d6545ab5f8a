// The end of a verification: what the ranks hold against what they owe.
#pragma once

#include <functional>

#include "schedule/verifier/memories.h"
#include "schedule/verifier/trace.h"

namespace muster::verifier {

/// What element `element` of a node's buffer consists of at the end.
using Trace = std::function<Origins(NodeId, Buffer, std::int64_t element)>;

/// "rank 3 of contract 0" is said as "rank 3 (PE (3,0))"; lists are cut short.
Verdict settle(const Subject& subject, Memories& memories, Contributions& contributions, const Trace& trace);

}  // namespace muster::verifier
