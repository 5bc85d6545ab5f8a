// The data of a trace: executions on whole vectors, in the order in which they are needed (data_order.h). Vectors exist
// only from the push to the last take, and memories from the first store to the end of a call.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/wafer/simulate/processor_code.h"
#include "backend/wafer/stream/trace.h"

namespace muster::wafer {

struct DataOptions {
  int calls = 1;
  std::uint64_t seed = 1;       ///< call k makes its inputs from seed + k
  bool in_trace_order = false;  ///< all executions, as they happened: the same words, but more of them at a time
};

struct Data {
  /// Per call and node, the words of the output buffer if a result is required in it; empty elsewhere.
  std::vector<std::vector<std::vector<Word>>> outputs;
  std::int64_t most_words = 0;  ///< in messages and memories at one time, outputs of finished calls aside
};

Data compute_data(const Cells& cells, const Trace& trace, const DataContract& contract, const DataOptions& options);

}  // namespace muster::wafer
