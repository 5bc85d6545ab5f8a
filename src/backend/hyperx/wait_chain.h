// The chain of waits that the end of a run hangs on: what each thing on it waited for last, back to the start.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/hyperx/timing.h"

namespace muster::hyperx {

struct Wait {
  enum class Kind : std::uint8_t {
    latency,  ///< a packet is on a link, or turns at the root, which takes no time
    reads,    ///< the memory of a core reads packets, one after another
    writes,   ///< it writes them
    link,     ///< packets follow the first one of a row, each a packet time behind the one before
    places,   ///< they follow it as places in the buffers behind the row become free
    late,     ///< a core has not begun yet
  };
  Kind kind = Kind::latency;
  Time begin = 0;
  Time end = 0;
  std::int32_t row = 0;      ///< whose packets; of a latency, the row that takes the packet
  std::int32_t input = -1;   ///< of a latency: the port of that row, as Registers::ports numbers them
  std::int64_t packets = 0;  ///< that are read, written, or follow
};

/// Back from the row that ends at `end`, in order of time, without gaps, from 0 on. A row's last packet waited for that of a row
/// that feeds it or, if that came earlier, for those before it, up to its first one.
std::vector<Wait> wait_chain(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, Time end);

/// When a row's switch began its id.
Time begin_of_id(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, std::int32_t row);

}  // namespace muster::hyperx
