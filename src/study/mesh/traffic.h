// Which ports and links of a machine a schedule loads most.
#pragma once

#include <cstdint>

#include "machine/machine.h"
#include "schedule/schedule.h"

namespace muster {

struct PortTraffic {
  NodeId node = 0;
  bool into = true;  ///< words into the processor; else out of it
  std::int64_t words = 0;
};

struct LinkTraffic {
  Hop link;
  std::int64_t words = 0;
};

struct Traffic {
  PortTraffic busiest_port;  ///< of equals the one of the first node
  LinkTraffic busiest_link;
  std::int64_t links = 0;  ///< that carry anything
};

/// Of a flat schedule that verify() has accepted. Its work is the hops of all streams, whatever their length.
Traffic traffic_of(const Schedule& schedule, const Machine& machine);

}  // namespace muster
