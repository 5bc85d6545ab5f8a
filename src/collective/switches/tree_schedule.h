// Collectives on an embedding, as steps of cores and switches.
//
// Cores push their vector to their switch. A switch combines what comes from its children, in the order of ports, and from
// its core, last, and pushes the result to its parent: its lane of requests. The root pushes to its children instead; from there
// on down switches push what comes from their parent to the children and the core that need it: their lane of responses.
// Every stream has a single hop; a response to several is one stream with several sinks, in the order of ports, the core last.
#pragma once

#include "collective/switches/embedding.h"
#include "machine/hyperx.h"
#include "schedule/builder.h"

namespace muster {

/// What is done with the vector's `elements` on one embedding.
struct TreeCollective {
  Collective collective = Collective::allreduce;  ///< or reduce, broadcast, barrier
  NodeId root = 0;                                ///< a participating core, if the collective has a root
  SpanId elements = 0;
  Buffer to = Buffer::output;  ///< of a broadcast: the root's own buffer (input) is left as it is
  std::int32_t lane = 0;       ///< of requests; the next one is of responses
};

/// Writes the steps of the cores that take part and of all switches.
void write_tree(ScheduleBuilder& builder, const HyperX& hyperx, const Embedding& embedding, const TreeCollective& what);

}  // namespace muster
