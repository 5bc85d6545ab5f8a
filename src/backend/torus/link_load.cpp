#include "backend/torus/link_load.h"

#include <algorithm>

#include "result/time_base.h"

namespace muster::torus {

Resource link_load(const Chip& chip, int noc, Cycle end) {
  const Torus& torus = chip.torus();
  const Topology& topology = chip.topology(noc);
  std::int64_t flits = 0;
  std::int64_t most = 0;
  std::string busiest;
  for (RouterId router = 0; router < topology.routers(); ++router) {
    for (const Port port : {to_x, to_y}) {
      const std::int64_t sent = chip.network(noc).flits_sent(router, port);
      flits += sent;
      if (sent <= most) continue;
      most = sent;
      const Coordinates a = topology.coordinates(router);
      const Coordinates b = topology.coordinates(topology.next(router, port));
      busiest = fmt::format("{}-{} to {}-{}", a.x, a.y, b.x, b.y);
    }
  }
  const TimeBase base{.ticks_per_second = torus.clock.value(), .is_clock = true};
  const double possible = 2.0 * topology.routers() * static_cast<double>(std::max<Cycle>(end, 1));
  return {.name = fmt::format("NoC {} links", noc),
          .bytes = Bytes(flits * torus.flit.value()),
          .busy = to_seconds(Ticks(most), base),
          .utilization = static_cast<double>(flits) / possible,
          .busiest = busiest};
}

}  // namespace muster::torus
