// Lists of transactions, as users write them down: who sends what to whom, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/torus/chip.h"
#include "result/result.h"

namespace muster::torus {

enum class TrafficKind : std::uint8_t { read, write, multicast, multicast_linked, atomic };

constexpr bool is_multicast(TrafficKind kind) {
  return kind == TrafficKind::multicast || kind == TrafficKind::multicast_linked;
}

/// `count` transactions to each destination, one destination after another, and a barrier at the end.
struct TrafficRow {
  std::string id;
  TrafficKind kind = TrafficKind::write;
  int noc = 0;
  RouterId source = 0;
  std::vector<RouterId> destinations = {};
  std::vector<std::int32_t> banks = {};  ///< of destinations in DRAM, one each; empty: destinations are tiles' memories
  Rectangle area = {};                   ///< of a multicast, which has no destinations
  std::int32_t bytes = 0;
  std::int64_t count = 1;
  Cycle start = 0;
  std::vector<std::int32_t> after = {};  ///< rows that must have ended
  bool is_stateful = false;
  bool is_posted = false;
  bool is_loopback = false;  ///< a multicast includes its source
};

/// Flits times hops that a row has on links, with headers, requests and acknowledgements: what simulating it costs. Saturates.
std::int64_t flit_hops(const Torus& torus, const TrafficRow& row);

struct TrafficRun {
  struct Times {
    Cycle start = 0;                ///< its processor began to issue
    std::optional<Cycle> end = {};  ///< its barrier returned
  };
  std::vector<Times> rows;
  Cycle end = 0;      ///< of the last row that ended
  Cycle stopped = 0;  ///< when nothing moved any more
  std::vector<Resource> resources;
};

/// Runs the rows. Those of one tile and NoC are issued by one processor, in the order in which they may begin.
TrafficRun run_traffic(const Torus& torus, const std::vector<TrafficRow>& rows, std::uint64_t seed);

}  // namespace muster::torus
