// What the phases of a program so far have come to: the state in which the next one begins.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/wafer/directions.h"
#include "backend/wafer/simulate/fabric.h"
#include "backend/wafer/stream/times.h"
#include "result/result.h"

namespace muster::wafer {

inline constexpr std::int64_t kNever = -1;

/// A cycle for each direction in which a router sends words on; of the ramp, for its processor.
using LinkCycles = std::array<std::int64_t, kDirections>;

constexpr LinkCycles all_links(std::int64_t cycle) {
  LinkCycles cycles{};
  cycles.fill(cycle);
  return cycles;
}

/// Of each router: when the first word that goes that way was sent to the router, and the last cycle in which one went on; of the ramp: in which
/// the processor used one. kNever: none does.
struct LinkUse {
  explicit LinkUse(std::size_t nodes) : first_sent(nodes, all_links(kNever)), last_moved(nodes, all_links(kNever)) {}
  std::vector<LinkCycles> first_sent;
  std::vector<LinkCycles> last_moved;
};

/// Evaluations of a simulation, those of attempts that came to nothing among them.
struct Effort {
  std::int64_t most = 0;
  std::int64_t spent = 0;
  [[nodiscard]] std::int64_t left() const { return most - spent; }
};

struct Progress {
  explicit Progress(std::size_t nodes)
      : ends(nodes, LaneEnd{.known = true}), quiet(nodes, all_links(kNever)), traffic(nodes), times(nodes) {}
  std::vector<LaneEnd> ends;      ///< of each processor
  std::vector<LinkCycles> quiet;  ///< LinkUse::last_moved of all that has run
  std::vector<Traffic> traffic;
  std::vector<NodeTimes> times;
  std::int64_t hops = 0;
};

}  // namespace muster::wafer
