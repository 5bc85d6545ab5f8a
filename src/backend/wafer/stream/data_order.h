// The order in which the executions of a trace are computed: each as late as possible, so that few vectors exist at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/stream/trace.h"

namespace muster::wafer {

/// The executions that a required result depends on, each after the earlier ones of its processor and after those whose messages it
/// takes. Depth first from the results: a vector is created just before it is consumed, so a chain needs one at a time and a tree
/// as many as it is deep.
std::vector<std::int32_t> executions_on_demand(const Cells& cells, const Trace& trace, const DataContract& contract);

}  // namespace muster::wafer
