// A toy family: ranks on a shared bus, which carries one message at a time to all who listen. It is built in every run and proves
// what docs/adding-a-family.md says. In src/, this header and bus_family.cpp would be in machine/, capabilities.* in backend/bus/, and
// algorithms.* in collective/.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/machine.h"

namespace muster {

struct Bus {
  std::int32_t ranks = 0;
  Hertz clock;
  Cycles start;  ///< to win the bus; then it carries a word per cycle
};

const Family& family_of(const Bus& bus);

// The contracts of routing.h.
NodeId rank_count(const Bus& bus);
NodeId node_count(const Bus& bus);
bool linked(const Bus& bus, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Bus& bus, NodeId from, NodeId to);
std::int64_t default_hops(const Bus& bus, NodeId from, NodeId to);

}  // namespace muster
