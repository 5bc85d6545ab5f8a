// The diagnosis of a deadlock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "backend/hyperx/packet_queues.h"
#include "result/result.h"

namespace muster::hyperx {

/// Packets that a row has forwarded whose switch has not begun its id, or which has none to forward.
inline constexpr std::int64_t kNotBegun = -1;

struct PacketsAtEnd {
  std::span<const std::int64_t> passed;  ///< by each row
  Time time = 0;
};

/// A row that still waits, with the port that it waits at; or packets that were never received; or nothing.
std::optional<Fault> fault_at_end(const Wiring& wiring, const Timing& timing, const PacketQueues& queues,
                                  const PacketsAtEnd& end);

}  // namespace muster::hyperx
