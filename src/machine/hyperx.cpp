// Coordinates and paths in a HyperX whose nodes hold all-to-all sockets, each a mesh of cores with a switch per core.
//
// Which switch of a node holds which port is not published. Assumed: the port to socket t sits at core t mod cores; the
// ports to other nodes, counted dimension by dimension and coordinate by coordinate (the own one left out), go round
// the sockets first, then round the cores: port k at socket k mod sockets, core (k / sockets) mod cores. That spreads
// the load of the node level over as many switches as there are.
#include "machine/hyperx.h"

#include <algorithm>
#include <cstdlib>

#include "result/time_base.h"

namespace muster {
namespace {

/// How far apart the numbers of two neighbours in `dimension` are.
std::int32_t stride(const HyperX& hyperx, std::size_t dimension) {
  std::int32_t product = 1;
  for (std::size_t d = 0; d < dimension; ++d) product *= hyperx.shape[d];
  return product;
}

bool is_rank(const HyperX& hyperx, NodeId node) { return node < rank_count(hyperx); }

/// One step along the default route inside a socket: first along the row, then along the column.
HyperXCoordinates next_core(const HyperX& hyperx, HyperXCoordinates at, std::int32_t core) {
  const std::int32_t columns = hyperx.core_columns;
  const std::int32_t east = core % columns - at.core % columns;
  if (east != 0) {
    at.core += east > 0 ? 1 : -1;
  } else if (at.core != core) {
    at.core += at.core < core ? columns : -columns;
  }
  return at;
}

/// The same inside a node: to the port of the socket, over to it, to the core.
HyperXCoordinates next_in_node(const HyperX& hyperx, HyperXCoordinates at, HyperXCoordinates to) {
  if (at.socket == to.socket) return next_core(hyperx, at, to.core);
  const std::int32_t port = socket_port(hyperx, to.socket);
  if (at.core != port) return next_core(hyperx, at, port);
  return {.node = at.node, .socket = to.socket, .core = socket_port(hyperx, at.socket)};
}

/// The same anywhere: dimension after dimension, then inside the node.
HyperXCoordinates next_coordinates(const HyperX& hyperx, HyperXCoordinates at, HyperXCoordinates to) {
  if (at.node == to.node) return next_in_node(hyperx, at, to);
  std::size_t dimension = 0;
  while (coordinate(hyperx, at.node, dimension) == coordinate(hyperx, to.node, dimension)) ++dimension;
  const std::int32_t own = coordinate(hyperx, at.node, dimension);
  const std::int32_t target = coordinate(hyperx, to.node, dimension);
  const HyperXCoordinates port = node_port(hyperx, at.node, dimension, target);
  if (at != port) return next_in_node(hyperx, at, port);
  return node_port(hyperx, at.node + (target - own) * stride(hyperx, dimension), dimension, own);
}

/// Tells `visit` every switch that the default route enters after its first one.
template <class Visit>
void walk(const HyperX& hyperx, HyperXCoordinates from, HyperXCoordinates to, Visit visit) {
  for (HyperXCoordinates coordinates = from; coordinates != to;) {
    coordinates = next_coordinates(hyperx, coordinates, to);
    visit(coordinates);
  }
}

bool cores_linked(const HyperX& hyperx, std::int32_t a, std::int32_t b) {
  const std::int32_t columns = hyperx.core_columns;
  return std::abs(a % columns - b % columns) + std::abs(a / columns - b / columns) == 1;
}

bool sockets_linked(const HyperX& hyperx, HyperXCoordinates a, HyperXCoordinates b) {
  return a.core == socket_port(hyperx, b.socket) && b.core == socket_port(hyperx, a.socket);
}

/// The switches hold the two ends of a link between their nodes.
bool nodes_linked(const HyperX& hyperx, HyperXCoordinates a, HyperXCoordinates b) {
  const std::optional<std::size_t> d = node_link_dimension(hyperx, a.node, b.node);
  return d && !has_failed(hyperx, a.node, b.node) &&
         node_port(hyperx, a.node, *d, coordinate(hyperx, b.node, *d)) == a &&
         node_port(hyperx, b.node, *d, coordinate(hyperx, a.node, *d)) == b;
}

}  // namespace

std::int32_t cores_per_socket(const HyperX& hyperx) { return hyperx.core_columns * hyperx.core_rows; }

std::int32_t switches_per_node(const HyperX& hyperx) { return hyperx.sockets * cores_per_socket(hyperx); }

std::int32_t hyperx_nodes(const HyperX& hyperx) {
  std::int32_t nodes = 1;
  for (const std::int32_t size : hyperx.shape) nodes *= size;
  return nodes;
}

std::optional<std::size_t> node_link_dimension(const HyperX& hyperx, std::int32_t a, std::int32_t b) {
  std::optional<std::size_t> differing;
  for (std::size_t d = 0; d < hyperx.shape.size(); ++d) {
    if (coordinate(hyperx, a, d) == coordinate(hyperx, b, d)) continue;
    if (differing) return std::nullopt;
    differing = d;
  }
  return differing;
}

bool has_failures(const HyperX& hyperx) { return !hyperx.failed_nodes.empty() || !hyperx.failed_links.empty(); }

bool has_failed(const HyperX& hyperx, std::int32_t node) {
  return std::binary_search(hyperx.failed_nodes.begin(), hyperx.failed_nodes.end(), node);
}

bool has_failed(const HyperX& hyperx, std::int32_t a, std::int32_t b) {
  return has_failed(hyperx, a) || has_failed(hyperx, b) ||
         std::binary_search(hyperx.failed_links.begin(), hyperx.failed_links.end(),
                            std::pair(std::min(a, b), std::max(a, b)));
}

NodeId rank_count(const HyperX& hyperx) { return hyperx_nodes(hyperx) * switches_per_node(hyperx); }

NodeId node_count(const HyperX& hyperx) { return 2 * rank_count(hyperx); }

namespace {

HyperXCoordinates coordinates_of_rank(const HyperX& hyperx, NodeId rank) {
  const std::int32_t cores = cores_per_socket(hyperx);
  const std::int32_t socket = rank / cores;  // of all sockets
  const std::int32_t node = socket / hyperx.sockets;
  return {.node = node, .socket = socket - node * hyperx.sockets, .core = rank - socket * cores};
}

}  // namespace

HyperXCoordinates coordinates_of(const HyperX& hyperx, NodeId node) {
  return coordinates_of_rank(hyperx, node % rank_count(hyperx));
}

NodeId switch_at(const HyperX& hyperx, HyperXCoordinates coordinates) {
  return rank_count(hyperx) + (coordinates.node * hyperx.sockets + coordinates.socket) * cores_per_socket(hyperx) +
         coordinates.core;
}

std::int32_t coordinate(const HyperX& hyperx, std::int32_t node, std::size_t dimension) {
  return node / stride(hyperx, dimension) % hyperx.shape[dimension];
}

HyperXCoordinates node_port(const HyperX& hyperx, std::int32_t node, std::size_t dimension, std::int32_t to) {
  std::int32_t port = to < coordinate(hyperx, node, dimension) ? to : to - 1;
  for (std::size_t d = 0; d < dimension; ++d) port += hyperx.shape[d] - 1;
  return {.node = node, .socket = port % hyperx.sockets, .core = port / hyperx.sockets % cores_per_socket(hyperx)};
}

std::int32_t socket_port(const HyperX& hyperx, std::int32_t to) { return to % cores_per_socket(hyperx); }

bool linked(const HyperX& hyperx, NodeId from, NodeId to) {
  const NodeId ranks = rank_count(hyperx);
  if (from < ranks || to < ranks) {  // a core and its switch
    const NodeId core = std::min(from, to);
    return std::max(from, to) == core + ranks && !has_failed(hyperx, core / switches_per_node(hyperx));
  }
  const HyperXCoordinates a = coordinates_of_rank(hyperx, from - ranks);
  const HyperXCoordinates b = coordinates_of_rank(hyperx, to - ranks);
  if (a.node != b.node) return nodes_linked(hyperx, a, b);
  if (has_failed(hyperx, a.node)) return false;
  if (a.socket != b.socket) return sockets_linked(hyperx, a, b);
  return cores_linked(hyperx, a.core, b.core);
}

NodeId next_switch(const HyperX& hyperx, NodeId at, NodeId to) {
  return switch_at(hyperx, next_coordinates(hyperx, coordinates_of(hyperx, at), coordinates_of(hyperx, to)));
}

std::vector<NodeId> neighbours(const HyperX& hyperx, NodeId at) {
  const HyperXCoordinates coordinates = coordinates_of(hyperx, at);
  const std::int32_t columns = hyperx.core_columns;
  std::vector<HyperXCoordinates> ends;
  const auto add_core = [&](bool is_there, std::int32_t by) {
    if (is_there)
      ends.push_back({.node = coordinates.node, .socket = coordinates.socket, .core = coordinates.core + by});
  };
  add_core(coordinates.core % columns > 0, -1);
  add_core(coordinates.core % columns < columns - 1, 1);
  add_core(coordinates.core / columns > 0, -columns);
  add_core(coordinates.core / columns < hyperx.core_rows - 1, columns);
  for (std::int32_t socket = 0; socket < hyperx.sockets; ++socket) {
    if (socket == coordinates.socket || socket_port(hyperx, socket) != coordinates.core) continue;
    ends.push_back({.node = coordinates.node, .socket = socket, .core = socket_port(hyperx, coordinates.socket)});
  }
  for (std::size_t d = 0; d < hyperx.shape.size(); ++d) {
    const std::int32_t own = coordinate(hyperx, coordinates.node, d);
    for (std::int32_t to = 0; to < hyperx.shape[d]; ++to) {
      if (to == own || node_port(hyperx, coordinates.node, d, to) != coordinates) continue;
      ends.push_back(node_port(hyperx, coordinates.node + (to - own) * stride(hyperx, d), d, own));
    }
  }
  std::vector<NodeId> found;
  for (const HyperXCoordinates& end : ends) {
    if (!has_failed(hyperx, coordinates.node, end.node)) found.push_back(switch_at(hyperx, end));
  }
  return found;
}

namespace {

Ticks latency_between(const HyperX& hyperx, HyperXCoordinates a, HyperXCoordinates b) {
  if (a.node != b.node) return picoseconds(hyperx.node_latency.value());
  if (a.socket != b.socket) return picoseconds(hyperx.socket_latency.value());
  return a.core == b.core ? Ticks(0) : picoseconds(hyperx.core_latency.value());
}

}  // namespace

Ticks link_latency(const HyperX& hyperx, NodeId a, NodeId b) {
  return latency_between(hyperx, coordinates_of(hyperx, a), coordinates_of(hyperx, b));
}

Ticks route_latency(const HyperX& hyperx, NodeId from, NodeId to) {
  HyperXCoordinates coordinates = coordinates_of(hyperx, from);
  Ticks sum;
  walk(hyperx, coordinates, coordinates_of(hyperx, to), [&](HyperXCoordinates next) {
    sum += latency_between(hyperx, coordinates, next);
    coordinates = next;
  });
  return sum;
}

std::vector<NodeId> default_route(const HyperX& hyperx, NodeId from, NodeId to) {
  std::vector<NodeId> route{from};
  if (from == to) return route;
  const HyperXCoordinates start = coordinates_of(hyperx, from);
  if (is_rank(hyperx, from)) route.push_back(switch_at(hyperx, start));
  walk(hyperx, start, coordinates_of(hyperx, to),
       [&](HyperXCoordinates coordinates) { route.push_back(switch_at(hyperx, coordinates)); });
  if (is_rank(hyperx, to)) route.push_back(to);
  return route;
}

std::int64_t default_hops(const HyperX& hyperx, NodeId from, NodeId to) {
  if (from == to) return 0;
  std::int64_t hops = (is_rank(hyperx, from) ? 1 : 0) + (is_rank(hyperx, to) ? 1 : 0);
  walk(hyperx, coordinates_of(hyperx, from), coordinates_of(hyperx, to), [&](HyperXCoordinates) { ++hops; });
  return hops;
}

}  // namespace muster
