// Places and paths of each family: what routing.cpp chooses from. Backends may use it for the family that they are for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace muster {

/// Column and row on a mesh or a torus.
struct GridPlace {
  std::int32_t x = 0;
  std::int32_t y = 0;
  auto operator<=>(const GridPlace&) const = default;
};

GridPlace place_of(const Mesh& mesh, NodeId node);
NodeId node_at(const Mesh& mesh, GridPlace place);
GridPlace place_of(const Torus& torus, NodeId node);
NodeId node_at(const Torus& torus, GridPlace place);

/// Where a core or its switch sits in a hyperx.
struct HyperXPlace {
  std::int32_t node = 0;  ///< number of the HyperX node; dimension 0 varies fastest
  std::int32_t socket = 0;
  std::int32_t core = 0;  ///< row * core_columns + column
  auto operator<=>(const HyperXPlace&) const = default;
};

std::int32_t cores_per_socket(const HyperX& hyperx);
std::int32_t switches_per_node(const HyperX& hyperx);
std::int32_t hyperx_nodes(const HyperX& hyperx);
HyperXPlace place_of(const HyperX& hyperx, NodeId node);
NodeId switch_at(const HyperX& hyperx, HyperXPlace place);
/// The coordinate of HyperX node `node` in `dimension`.
std::int32_t coordinate(const HyperX& hyperx, std::int32_t node, std::size_t dimension);
/// The switch of `node` whose port leads to coordinate `to` of `dimension`.
HyperXPlace node_port(const HyperX& hyperx, std::int32_t node, std::size_t dimension, std::int32_t to);
/// The core of every socket whose switch has the port to socket `to`.
std::int32_t socket_port(const HyperX& hyperx, std::int32_t to);
/// The dimension along which two HyperX nodes have a link, whole or failed; nothing if they have none.
std::optional<std::size_t> node_link_dimension(const HyperX& hyperx, std::int32_t a, std::int32_t b);
/// Whether something has failed; whether a HyperX node has; whether a link between two has, or one of its ends.
bool has_failures(const HyperX& hyperx);
bool has_failed(const HyperX& hyperx, std::int32_t node);
bool has_failed(const HyperX& hyperx, std::int32_t a, std::int32_t b);
/// The switch behind `at` on the default route between two switches; `to` itself once it is there.
NodeId next_switch(const HyperX& hyperx, NodeId at, NodeId to);
/// The switches that a switch has links to, in the order of its ports: west, east, north and south in its socket, then the
/// other sockets by number, then the other nodes by dimension and coordinate. What has failed is left out.
std::vector<NodeId> neighbours(const HyperX& hyperx, NodeId at);
/// In picoseconds (machine.h), of a link between two switches; 0 between a core and its switch.
Cycles link_latency(const HyperX& hyperx, NodeId a, NodeId b);
/// Of all links of the default route between two switches, or their cores.
Cycles route_latency(const HyperX& hyperx, NodeId from, NodeId to);

/// The coordinate of an NPU in `dimension` of a cluster.
std::int32_t coordinate(const Cluster& cluster, NodeId rank, std::size_t dimension);
/// Whether switches of some dimension reduce.
bool has_reducing_switch(const Cluster& cluster);
/// The switch that an NPU has in a dimension that reduces. Switches are numbered behind all NPUs: dimension by dimension, and in
/// each by the NPUs of their coordinate 0.
NodeId switch_of(const Cluster& cluster, NodeId rank, std::size_t dimension);
/// The dimension of the link between two NPUs; -1 if they have none of their own: they differ in several coordinates, are no
/// neighbours on their ring, or meet at a switch.
std::int32_t link_dimension(const Cluster& cluster, NodeId a, NodeId b);
/// Whether two NPUs differ in no coordinate but that of `dimension`.
bool in_one_group(const Cluster& cluster, NodeId a, NodeId b, std::size_t dimension);
/// The ends of a link of a dimension, by their coordinates in it.
struct LinkEnds {
  std::int32_t a = 0;
  std::int32_t b = 0;
};
/// What becomes of a group that lacks links.
struct Detour {
  double factor = 1;               ///< how many times as long its collectives take to send
  std::optional<std::size_t> cut;  ///< the index of a missing link whose ends have no other way
};
/// Where all are linked, those that still have links to both ends of a missing one pass its messages on, each an equal part; the
/// link that carries most sets the time. Without one link of P members' that is (P - 1) / (P - 2). On a ring with links both ways
/// the ends of the line that is left get everything over one of two links: 2. The links are of the dimension, each given once.
Detour detour(const Cluster::Dimension& dimension, const std::vector<LinkEnds>& missing);
/// Of a machine without a clock: a time as it counts it, rounded up, so that nothing is faster than its bandwidth; at most about
/// 13 days (2^60).
Cycles picoseconds(double seconds);
/// How long an NPU sends so many bytes along a dimension, and how long so many messages that wait for each other are on their
/// way (in picoseconds, see machine.h).
Cycles sending_time(const Cluster::Dimension& dimension, Bytes bytes);
Cycles waiting_time(const Cluster::Dimension& dimension, std::int64_t rounds);

// The contracts of routing.h, per family. Nodes are in range.
NodeId rank_count(const Mesh& mesh);
NodeId rank_count(const Torus& torus);
NodeId rank_count(const HyperX& hyperx);
NodeId rank_count(const Cluster& cluster);

NodeId node_count(const Mesh& mesh);
NodeId node_count(const Torus& torus);
NodeId node_count(const HyperX& hyperx);
NodeId node_count(const Cluster& cluster);

bool linked(const Mesh& mesh, NodeId from, NodeId to);
bool linked(const Torus& torus, NodeId from, NodeId to);
bool linked(const HyperX& hyperx, NodeId from, NodeId to);
bool linked(const Cluster& cluster, NodeId from, NodeId to);

std::vector<NodeId> default_route(const Mesh& mesh, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Torus& torus, NodeId from, NodeId to);
std::vector<NodeId> default_route(const HyperX& hyperx, NodeId from, NodeId to);
std::vector<NodeId> default_route(const Cluster& cluster, NodeId from, NodeId to);

std::int64_t default_hops(const Mesh& mesh, NodeId from, NodeId to);
std::int64_t default_hops(const Torus& torus, NodeId from, NodeId to);
std::int64_t default_hops(const HyperX& hyperx, NodeId from, NodeId to);
std::int64_t default_hops(const Cluster& cluster, NodeId from, NodeId to);

}  // namespace muster
