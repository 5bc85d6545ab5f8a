// A timeline for trace viewers.
#pragma once

#include <string>

#include "result/timeline.h"

namespace muster {

/// The trace event format of Chrome, which Perfetto reads, too: a process per group of tracks, a thread per track, and
/// a complete event per span. A cycle is written as a microsecond, because viewers count in these.
std::string json_trace(const Timeline& timeline);

}  // namespace muster
