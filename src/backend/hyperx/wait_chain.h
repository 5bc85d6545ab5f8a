// The critical path of a run as a chain of waits: what each event waited for last, from the end back to the start.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/hyperx/timing.h"

namespace muster::hyperx {

struct Wait {
  enum class Kind : std::uint8_t {
    latency,  ///< a packet is on a link, or turns from request to response at the root, which takes no time
    reads,    ///< the memory of a core reads packets, one after another
    writes,   ///< it writes them
    link,     ///< serialisation: packets of a row follow each other one packet time apart
    credits,  ///< they wait for credits of the buffers downstream of the row
    late,     ///< a core has not started yet
  };
  Kind kind = Kind::latency;
  Time begin = 0;
  Time end = 0;
  std::int32_t row = 0;      ///< the row of the packets; for a latency, the receiving row
  std::int32_t input = -1;   ///< of a latency: the port of that row, as Registers::ports numbers them
  std::int64_t packets = 0;  ///< that are read, written, or follow
};

/// Back from the row that ends at `end`, in order of time, without gaps, from 0 on. A row's last packet waited for that of a row
/// that feeds it or, if that came earlier, for those before it, up to its first one.
std::vector<Wait> wait_chain(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, Time end);

/// When a row's switch began its id.
Time begin_of_id(const Wiring& wiring, const Timing& timing, std::span<const RowTimes> times, std::int32_t row);

}  // namespace muster::hyperx
