// The data of a trace: every execution on whole vectors, in the order of the trace. Vectors exist only from the push to
// the last take, and memories from the first store to the end of a call.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/stream/trace.h"

namespace muster::wafer {

struct DataOptions {
  int calls = 1;
  std::uint64_t seed = 1;  ///< call k makes its inputs from seed + k
};

/// Per call and node, the words of the output buffer where something is owed in it; empty elsewhere.
std::vector<std::vector<std::vector<Word>>> compute_outputs(const Cells& cells, const Trace& trace,
                                                            const DataContract& contract, const DataOptions& options);

}  // namespace muster::wafer
