// In which order the executions of a trace are computed: each as late as possible, so that few vectors exist at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/stream/trace.h"

namespace muster::wafer {

/// The executions without which something owed would be missing, each after those of its processor before it and after
/// those whose messages it takes. Depth first from what is owed: a vector is made when somebody is about to take it, so a
/// chain needs one at a time and a tree as many as it is deep.
std::vector<std::int32_t> executions_on_demand(const Cells& cells, const Trace& trace, const DataContract& contract);

}  // namespace muster::wafer
