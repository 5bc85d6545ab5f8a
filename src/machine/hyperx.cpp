// Places and paths in a HyperX whose nodes hold all-to-all sockets, each a mesh of cores with a switch per core.
//
// Which switch of a node holds which port is not published. Assumed: the port to socket t sits at core t mod cores; the
// ports to other nodes, counted dimension by dimension and coordinate by coordinate (the own one left out), go round
// the sockets first, then round the cores: port k at socket k mod sockets, core (k / sockets) mod cores. That spreads
// the load of the node level over as many switches as there are.
#include <cstdlib>

#include "machine/families.h"

namespace muster {
namespace {

std::int32_t switches_per_node(const HyperX& hyperx) { return hyperx.sockets * cores_per_socket(hyperx); }

std::int32_t hyperx_nodes(const HyperX& hyperx) {
  std::int32_t nodes = 1;
  for (const std::int32_t size : hyperx.shape) nodes *= size;
  return nodes;
}

/// How far apart the numbers of two neighbours in `dimension` are.
std::int32_t stride(const HyperX& hyperx, std::size_t dimension) {
  std::int32_t product = 1;
  for (std::size_t d = 0; d < dimension; ++d) product *= hyperx.shape[d];
  return product;
}

bool is_rank(const HyperX& hyperx, NodeId node) { return node < rank_count(hyperx); }

/// Walks from switch to switch and tells `visit` every switch that it enters.
template <class Visit>
class Walk {
 public:
  Walk(const HyperX& hyperx, HyperXPlace start, Visit visit) : hyperx_(hyperx), at_(start), visit_(visit) {}

  void to(HyperXPlace end) {
    for (std::size_t d = 0; d < hyperx_.shape.size(); ++d) to_coordinate(d, coordinate(hyperx_, end.node, d));
    to_socket(end.socket);
    to_core(end.core);
  }

 private:
  void to_coordinate(std::size_t dimension, std::int32_t target) {
    const std::int32_t own = coordinate(hyperx_, at_.node, dimension);
    if (own == target) return;
    const HyperXPlace port = node_port(hyperx_, at_.node, dimension, target);
    to_socket(port.socket);
    to_core(port.core);
    const std::int32_t peer = at_.node + (target - own) * stride(hyperx_, dimension);
    enter(node_port(hyperx_, peer, dimension, own));
  }

  void to_socket(std::int32_t target) {
    if (at_.socket == target) return;
    const std::int32_t own = at_.socket;
    to_core(socket_port(hyperx_, target));
    enter({.node = at_.node, .socket = target, .core = socket_port(hyperx_, own)});
  }

  void to_core(std::int32_t target) {
    const std::int32_t columns = hyperx_.core_columns;
    while (at_.core % columns != target % columns) {
      step_core(at_.core % columns < target % columns ? 1 : -1);
    }
    while (at_.core != target) step_core(at_.core < target ? columns : -columns);
  }

  void step_core(std::int32_t by) { enter({.node = at_.node, .socket = at_.socket, .core = at_.core + by}); }

  void enter(HyperXPlace place) {
    at_ = place;
    visit_(place);
  }

  const HyperX& hyperx_;
  HyperXPlace at_;
  Visit visit_;
};

bool cores_linked(const HyperX& hyperx, std::int32_t a, std::int32_t b) {
  const std::int32_t columns = hyperx.core_columns;
  return std::abs(a % columns - b % columns) + std::abs(a / columns - b / columns) == 1;
}

bool sockets_linked(const HyperX& hyperx, HyperXPlace a, HyperXPlace b) {
  return a.core == socket_port(hyperx, b.socket) && b.core == socket_port(hyperx, a.socket);
}

bool nodes_linked(const HyperX& hyperx, HyperXPlace a, HyperXPlace b) {
  std::size_t differing = hyperx.shape.size();
  for (std::size_t d = 0; d < hyperx.shape.size(); ++d) {
    if (coordinate(hyperx, a.node, d) == coordinate(hyperx, b.node, d)) continue;
    if (differing != hyperx.shape.size()) return false;
    differing = d;
  }
  return node_port(hyperx, a.node, differing, coordinate(hyperx, b.node, differing)) == a &&
         node_port(hyperx, b.node, differing, coordinate(hyperx, a.node, differing)) == b;
}

}  // namespace

std::int32_t cores_per_socket(const HyperX& hyperx) { return hyperx.core_columns * hyperx.core_rows; }

NodeId rank_count(const HyperX& hyperx) { return hyperx_nodes(hyperx) * switches_per_node(hyperx); }

NodeId node_count(const HyperX& hyperx) { return 2 * rank_count(hyperx); }

HyperXPlace place_of(const HyperX& hyperx, NodeId node) {
  const NodeId rank = node % rank_count(hyperx);
  const std::int32_t cores = cores_per_socket(hyperx);
  return {.node = rank / switches_per_node(hyperx), .socket = rank / cores % hyperx.sockets, .core = rank % cores};
}

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
  if (is_rank(hyperx, from) && is_rank(hyperx, to)) return false;
  if (is_rank(hyperx, from) != is_rank(hyperx, to)) return from % rank_count(hyperx) == to % rank_count(hyperx);
  const HyperXPlace a = place_of(hyperx, from);
  const HyperXPlace b = place_of(hyperx, to);
  if (a.node != b.node) return nodes_linked(hyperx, a, b);
  if (a.socket != b.socket) return sockets_linked(hyperx, a, b);
  return cores_linked(hyperx, a.core, b.core);
}

std::vector<NodeId> default_route(const HyperX& hyperx, NodeId from, NodeId to) {
  std::vector<NodeId> route{from};
  if (from == to) return route;
  const HyperXPlace start = place_of(hyperx, from);
  if (is_rank(hyperx, from)) route.push_back(switch_at(hyperx, start));
  Walk walk(hyperx, start, [&](HyperXPlace place) { route.push_back(switch_at(hyperx, place)); });
  walk.to(place_of(hyperx, to));
  if (is_rank(hyperx, to)) route.push_back(to);
  return route;
}

std::int64_t default_hops(const HyperX& hyperx, NodeId from, NodeId to) {
  if (from == to) return 0;
  std::int64_t hops = (is_rank(hyperx, from) ? 1 : 0) + (is_rank(hyperx, to) ? 1 : 0);
  Walk walk(hyperx, place_of(hyperx, from), [&](HyperXPlace) { ++hops; });
  walk.to(place_of(hyperx, to));
  return hops;
}

}  // namespace muster
