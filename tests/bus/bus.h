// A toy family: ranks on a shared bus, which carries one message at a time to all who listen. It is built in every run and proves
// that a family is one folder and one line per capability in the registries (add_family.py); docs/adding-a-family.md follows it.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/capabilities.h"
#include "collective/algorithm.h"
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

namespace bus {

const Lowering& lowering();
const Simulator& simulator();
const Emitter& listing_emitter();

/// Ranks send to the root one after another; the root adds.
Algorithm reduce_in_turn();
/// The root sends once, and all listen.
Algorithm broadcast_once();

}  // namespace bus
}  // namespace muster
