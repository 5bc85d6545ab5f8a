// The plain engine: real packets in real buffers, event by event.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "backend/hyperx/timing.h"
#include "result/result.h"
#include "schedule/interpret.h"

namespace muster::hyperx {

struct PacketRun {
  std::vector<RowTimes> times;  ///< of each row
  Outputs outputs;
  std::optional<Fault> fault;
  std::int64_t events = 0;
};

/// Runs registers that pass check_form(), from time 0 on, with inputs made from `seed`. If it deadlocks, the fault says who waits for
/// what.
PacketRun run_packets(const Wiring& wiring, const Timing& timing, std::uint64_t seed,
                      const std::function<void(Ticks)>& progress);

}  // namespace muster::hyperx
