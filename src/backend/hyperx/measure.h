// From the times of rows to a result.
#pragma once

#include <span>

#include "backend/hyperx/timing.h"
#include "result/result.h"

namespace muster::hyperx {

/// Times and loads of `calls` calls; engine, note, data and effort are left to the caller.
Result measure(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, int calls);

/// The time of the core that ends last, in three parts: the link latencies on the path of the first packet that it waited for
/// ("network"), reads of first packets and writes of last packets on that path ("memory"), and the rest: serialisation of packets,
/// waits for credits, for earlier ids and for late cores ("serialisation").
std::vector<TimePart> time_parts(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, Time end);

}  // namespace muster::hyperx
