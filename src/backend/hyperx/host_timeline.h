// What cores did when, where they exchange messages themselves.
#pragma once

#include <cstdint>
#include <span>

#include "result/timeline.h"
#include "schedule/schedule.h"

namespace muster::hyperx {

/// A step of a core, after whatever it waited for.
struct HostStep {
  /// How long it takes, in picoseconds, by what it is spent on, in this order.
  struct Parts {
    std::int64_t overhead = 0;
    std::int64_t network = 0;
    std::int64_t memory = 0;
    [[nodiscard]] std::int64_t sum() const { return overhead + network + memory; }
  };
  NodeId core = 0;
  NodeId from = 0;  ///< whose message it takes; itself: none
  std::int64_t begin = 0;
  Parts parts;
  std::int64_t words = 0;
};

/// A track per core: the cores on the critical path first, in its order, then others by their number, up to kMostTracks. `path`:
/// the steps of the critical path, the last one first.
Timeline timeline_of_hosts(std::span<const HostStep> steps, std::span<const StepId> path);

}  // namespace muster::hyperx
