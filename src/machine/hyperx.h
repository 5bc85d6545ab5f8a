// The family "hyperx": reducing switches. What a machine file describes, and its coordinates and routes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "machine/machine.h"
#include "machine/shapes.h"

namespace muster {

/// Switches that reduce, one per core: a mesh of cores in a socket, all-to-all sockets in a node, nodes all-to-all in
/// every dimension of a HyperX. Rank of a core: (node * sockets + socket) * cores + core. The switch of rank r is node
/// rank_count + r.
struct HyperX {
  /// What cores that exchange messages by themselves take, round by round.
  struct Host {
    Seconds round_overhead;             ///< of software, per round
    std::int32_t traversals = 0;        ///< one-way trips through the network per round: data, flags and requests
    std::int32_t message_passes = 0;    ///< times that memory moves each byte of a message
    std::int32_t reduction_passes = 0;  ///< times that memory moves each byte that is combined
  };
  std::vector<std::int32_t> shape;      ///< nodes per dimension; empty: one node
  std::int32_t max_dimension_size = 0;  ///< most nodes in one dimension
  std::int32_t sockets = 0;             ///< per node
  std::int32_t core_columns = 0;        ///< of the mesh in a socket
  std::int32_t core_rows = 0;
  Seconds core_latency;
  Seconds socket_latency;
  Seconds node_latency;
  BytesPerSecond link_bandwidth;    ///< per direction
  BytesPerSecond memory_bandwidth;  ///< per core
  std::int32_t buffer_packets = 0;  ///< per input port and virtual channel
  Bytes packet;
  std::vector<std::int32_t> failed_nodes;                           ///< HyperX nodes that cannot be used, sorted
  std::vector<std::pair<std::int32_t, std::int32_t>> failed_links;  ///< HyperX nodes, the lower first; sorted
  std::optional<Host> host;                                         ///< nothing: not known
};

/// Options of reducing switches.
struct HyperXOptions {
  /// The HyperX nodes of each group that runs the collective on its own; empty: one group of all.
  std::vector<std::vector<std::int32_t>> groups = {};
  /// One vector per node, distributed over the memories of some of its cores; otherwise one per core.
  bool vector_per_node = false;
  std::map<NodeId, double> slow = {};   ///< slowdown of a core's memory
  std::map<NodeId, Seconds> late = {};  ///< start delay of a core
};

const Family& family_of(const HyperX& hyperx);

/// The coordinates of a core or its switch.
struct HyperXCoordinates {
  std::int32_t node = 0;  ///< number of the HyperX node; dimension 0 varies fastest
  std::int32_t socket = 0;
  std::int32_t core = 0;  ///< row * core_columns + column
  auto operator<=>(const HyperXCoordinates&) const = default;
};

std::int32_t cores_per_socket(const HyperX& hyperx);
std::int32_t switches_per_node(const HyperX& hyperx);
std::int32_t hyperx_nodes(const HyperX& hyperx);
HyperXCoordinates coordinates_of(const HyperX& hyperx, NodeId node);
NodeId switch_at(const HyperX& hyperx, HyperXCoordinates coordinates);
/// The coordinate of HyperX node `node` in `dimension`.
std::int32_t coordinate(const HyperX& hyperx, std::int32_t node, std::size_t dimension);
/// The switch of `node` whose port leads to coordinate `to` of `dimension`.
HyperXCoordinates node_port(const HyperX& hyperx, std::int32_t node, std::size_t dimension, std::int32_t to);
/// The core of every socket whose switch has the port to socket `to`.
std::int32_t socket_port(const HyperX& hyperx, std::int32_t to);
/// The dimension along which two HyperX nodes have a link, whole or failed; nothing if they have none.
std::optional<std::size_t> node_link_dimension(const HyperX& hyperx, std::int32_t a, std::int32_t b);
/// Whether something has failed; whether a HyperX node has; whether a link between two has, or one of its ends.
bool has_failures(const HyperX& hyperx);
bool has_failed(const HyperX& hyperx, std::int32_t node);
bool has_failed(const HyperX& hyperx, std::int32_t a, std::int32_t b);
/// The switch after `at` on the default route between two switches; `to` if `at` is `to`.
NodeId next_switch(const HyperX& hyperx, NodeId at, NodeId to);
/// The switches that a switch has links to, in the order of its ports: west, east, north and south in its socket, then the
/// other sockets by number, then the other nodes by dimension and coordinate. Failed links and nodes are left out.
std::vector<NodeId> neighbours(const HyperX& hyperx, NodeId at);
/// In picoseconds (machine.h), of a link between two switches; 0 between a core and its switch.
Ticks link_latency(const HyperX& hyperx, NodeId a, NodeId b);
/// Total latency of the default route between two switches, or their cores.
Ticks route_latency(const HyperX& hyperx, NodeId from, NodeId to);

// The contracts of routing.h. Nodes are in range.
NodeId rank_count(const HyperX& hyperx);
NodeId node_count(const HyperX& hyperx);
bool linked(const HyperX& hyperx, NodeId from, NodeId to);
std::vector<NodeId> default_route(const HyperX& hyperx, NodeId from, NodeId to);
std::int64_t default_hops(const HyperX& hyperx, NodeId from, NodeId to);

}  // namespace muster
