// Nodes, links and default routes of a machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace muster {

NodeId rank_count(const Machine& machine);
NodeId node_count(const Machine& machine);

/// Whether `node` can combine streams and hold buffers: every rank, the switches of a hyperx, and those of a cluster
/// that reduce.
bool can_combine(const Machine& machine, NodeId node);

/// Whether `node` can hold buffers, store what it receives there and send it: every node that can combine, and the tiles of a torus
/// through which workers reach DRAM banks.
bool can_store(const Machine& machine, NodeId node);

/// Whether a single link leads from `from` to `to`.
bool linked(const Machine& machine, NodeId from, NodeId to);

/// The nodes that a stream visits from `from` to `to`, both included, on the machine's default route: x then y on a
/// mesh, NoC 0 on a torus, dimension-ordered on a hyperx (core, socket, node level as needed) and a cluster.
std::vector<NodeId> default_route(const Machine& machine, NodeId from, NodeId to);

/// default_route(...).size() - 1 without building it where the family allows.
std::int64_t default_hops(const Machine& machine, NodeId from, NodeId to);

/// What stream_buffer() returns if the receiver can buffer a whole stream of any length.
inline constexpr std::int64_t kWholeStream = std::int64_t{1} << 40;

/// How many elements of one stream the network is guaranteed to buffer while the receiver takes none. The verifier relies on
/// it.
std::int64_t stream_buffer(const Machine& machine);

/// What people call a node: "PE (3,0)", "tile (1,2)", "core 5", "switch of core 5", "NPU 7", "switch 2".
std::string node_text(const Machine& machine, NodeId node);

}  // namespace muster
