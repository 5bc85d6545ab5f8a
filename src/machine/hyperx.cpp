// Places and paths in a HyperX whose nodes hold all-to-all sockets, each a mesh of cores with a switch per core.
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
HyperXPlace next_core(const HyperX& hyperx, HyperXPlace at, std::int32_t core) {
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
HyperXPlace next_in_node(const HyperX& hyperx, HyperXPlace at, HyperXPlace to) {
  if (at.socket == to.socket) return next_core(hyperx, at, to.core);
  const std::int32_t port = socket_port(hyperx, to.socket);
  if (at.core != port) return next_core(hyperx, at, port);
  return {.node = at.node, .socket = to.socket, .core = socket_port(hyperx, at.socket)};
}

/// The same anywhere: dimension after dimension, then inside the node.
HyperXPlace next_place(const HyperX& hyperx, HyperXPlace at, HyperXPlace to) {
  if (at.node == to.node) return next_in_node(hyperx, at, to);
  std::size_t dimension = 0;
  while (coordinate(hyperx, at.node, dimension) == coordinate(hyperx, to.node, dimension)) ++dimension;
  const std::int32_t own = coordinate(hyperx, at.node, dimension);
  const std::int32_t target = coordinate(hyperx, to.node, dimension);
  const HyperXPlace port = node_port(hyperx, at.node, dimension, target);
  if (at != port) return next_in_node(hyperx, at, port);
  return node_port(hyperx, at.node + (target - own) * stride(hyperx, dimension), dimension, own);
}

/// Tells `visit` every switch that the default route enters after its first one.
template <class Visit>
void walk(const HyperX& hyperx, HyperXPlace from, HyperXPlace to, Visit visit) {
  for (HyperXPlace place = from; place != to;) {
    place = next_place(hyperx, place, to);
    visit(place);
  }
}

bool cores_linked(const HyperX& hyperx, std::int32_t a, std::int32_t b) {
  const std::int32_t columns = hyperx.core_columns;
  return std::abs(a % columns - b % columns) + std::abs(a / columns - b / columns) == 1;
}

bool sockets_linked(const HyperX& hyperx, HyperXPlace a, HyperXPlace b) {
  return a.core == socket_port(hyperx, b.socket) && b.core == socket_port(hyperx, a.socket);
}

/// The switches hold the two ends of a link between their nodes.
bool nodes_linked(const HyperX& hyperx, HyperXPlace a, HyperXPlace b) {
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

HyperXPlace place_of_rank(const HyperX& hyperx, NodeId rank) {
  const std::int32_t cores = cores_per_socket(hyperx);
  const std::int32_t socket = rank / cores;  // of all sockets
  const std::int32_t node = socket / hyperx.sockets;
  return {.node = node, .socket = socket - node * hyperx.sockets, .core = rank - socket * cores};
}

}  // namespace

HyperXPlace place_of(const HyperX& hyperx, NodeId node) { return place_of_rank(hyperx, node % rank_count(hyperx)); }

NodeId switch_at(const HyperX& hyperx, HyperXPlace place) {
  return rank_count(hyperx) + (place.node * hyperx.sockets + place.socket) * cores_per_socket(hyperx) + place.core;
}

std::int32_t coordinate(const HyperX& hyperx, std::int32_t node, std::size_t dimension) {
  return node / stride(hyperx, dimension) % hyperx.shape[dimension];
}

HyperXPlace node_port(const HyperX& hyperx, std::int32_t node, std::size_t dimension, std::int32_t to) {
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
  const HyperXPlace a = place_of_rank(hyperx, from - ranks);
  const HyperXPlace b = place_of_rank(hyperx, to - ranks);
  if (a.node != b.node) return nodes_linked(hyperx, a, b);
  if (has_failed(hyperx, a.node)) return false;
  if (a.socket != b.socket) return sockets_linked(hyperx, a, b);
  return cores_linked(hyperx, a.core, b.core);
}

NodeId next_switch(const HyperX& hyperx, NodeId at, NodeId to) {
  return switch_at(hyperx, next_place(hyperx, place_of(hyperx, at), place_of(hyperx, to)));
}

std::vector<NodeId> neighbours(const HyperX& hyperx, NodeId at) {
  const HyperXPlace place = place_of(hyperx, at);
  const std::int32_t columns = hyperx.core_columns;
  std::vector<HyperXPlace> ends;
  const auto add_core = [&](bool is_there, std::int32_t by) {
    if (is_there) ends.push_back({.node = place.node, .socket = place.socket, .core = place.core + by});
  };
  add_core(place.core % columns > 0, -1);
  add_core(place.core % columns < columns - 1, 1);
  add_core(place.core / columns > 0, -columns);
  add_core(place.core / columns < hyperx.core_rows - 1, columns);
  for (std::int32_t socket = 0; socket < hyperx.sockets; ++socket) {
    if (socket == place.socket || socket_port(hyperx, socket) != place.core) continue;
    ends.push_back({.node = place.node, .socket = socket, .core = socket_port(hyperx, place.socket)});
  }
  for (std::size_t d = 0; d < hyperx.shape.size(); ++d) {
    const std::int32_t own = coordinate(hyperx, place.node, d);
    for (std::int32_t to = 0; to < hyperx.shape[d]; ++to) {
      if (to == own || node_port(hyperx, place.node, d, to) != place) continue;
      ends.push_back(node_port(hyperx, place.node + (to - own) * stride(hyperx, d), d, own));
    }
  }
  std::vector<NodeId> found;
  for (const HyperXPlace& end : ends) {
    if (!has_failed(hyperx, place.node, end.node)) found.push_back(switch_at(hyperx, end));
  }
  return found;
}

namespace {

Ticks latency_between(const HyperX& hyperx, HyperXPlace a, HyperXPlace b) {
  if (a.node != b.node) return picoseconds(hyperx.node_latency.value());
  if (a.socket != b.socket) return picoseconds(hyperx.socket_latency.value());
  return a.core == b.core ? Ticks(0) : picoseconds(hyperx.core_latency.value());
}

}  // namespace

Ticks link_latency(const HyperX& hyperx, NodeId a, NodeId b) {
  return latency_between(hyperx, place_of(hyperx, a), place_of(hyperx, b));
}

Ticks route_latency(const HyperX& hyperx, NodeId from, NodeId to) {
  HyperXPlace place = place_of(hyperx, from);
  Ticks sum;
  walk(hyperx, place, place_of(hyperx, to), [&](HyperXPlace next) {
    sum += latency_between(hyperx, place, next);
    place = next;
  });
  return sum;
}

std::vector<NodeId> default_route(const HyperX& hyperx, NodeId from, NodeId to) {
  std::vector<NodeId> route{from};
  if (from == to) return route;
  const HyperXPlace start = place_of(hyperx, from);
  if (is_rank(hyperx, from)) route.push_back(switch_at(hyperx, start));
  walk(hyperx, start, place_of(hyperx, to), [&](HyperXPlace place) { route.push_back(switch_at(hyperx, place)); });
  if (is_rank(hyperx, to)) route.push_back(to);
  return route;
}

std::int64_t default_hops(const HyperX& hyperx, NodeId from, NodeId to) {
  if (from == to) return 0;
  std::int64_t hops = (is_rank(hyperx, from) ? 1 : 0) + (is_rank(hyperx, to) ? 1 : 0);
  walk(hyperx, place_of(hyperx, from), place_of(hyperx, to), [&](HyperXPlace) { ++hops; });
  return hops;
}

}  // namespace muster
