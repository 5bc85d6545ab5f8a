// When the processors of a program made their calls, and what they waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/torus/chip.h"

namespace muster::torus {

/// Of a processor, by its number: 3 x core + processor.
struct CallNumber {
  std::int32_t processor = -1;  ///< -1: none
  std::int32_t call = 0;
};

struct CallRecord {
  Cycle begin = 0;  ///< the call before it was over
  Cycle start = 0;  ///< what it waits for has happened
  Cycle end = 0;
  CallNumber cause;  ///< the call that ended its wait: that told it, or posted a token
};

/// By processor and call.
using CallLog = std::vector<std::vector<CallRecord>>;

}  // namespace muster::torus
