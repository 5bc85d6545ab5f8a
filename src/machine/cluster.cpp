// Coordinates and paths in a cluster of several network dimensions. A dimension's switches and wires are no nodes: a message
// between two members of a switched or fully connected dimension is one hop.
#include "machine/cluster.h"

#include <algorithm>
#include <cmath>

#include "result/time_base.h"

namespace muster {
namespace {

/// NPUs with one link on a ring send upwards alone.
bool is_one_way(const Cluster::Dimension& dimension) {
  return dimension.kind == Cluster::Kind::ring && dimension.links == 1;
}

std::int32_t upwards(const Cluster::Dimension& dimension, std::int32_t a, std::int32_t b) {
  return b >= a ? b - a : dimension.size - (a - b);
}

/// Members passed from coordinate a to b of a dimension; on a ring, the shorter way round, if there are two.
std::int32_t distance(const Cluster::Dimension& dimension, std::int32_t a, std::int32_t b) {
  if (dimension.kind != Cluster::Kind::ring) return a == b ? 0 : 1;
  if (is_one_way(dimension)) return upwards(dimension, a, b);
  return std::min(upwards(dimension, a, b), upwards(dimension, b, a));
}

/// The next coordinate on the way from a to b; on a ring whose two ways are equally long, upwards.
std::int32_t next_coordinate(const Cluster::Dimension& dimension, std::int32_t a, std::int32_t b) {
  if (dimension.kind != Cluster::Kind::ring) return b;
  if (is_one_way(dimension) || upwards(dimension, a, b) <= dimension.size / 2) {
    return a + 1 == dimension.size ? 0 : a + 1;
  }
  return a == 0 ? dimension.size - 1 : a - 1;
}

NodeId stride(const Cluster& cluster, std::size_t dimension) {
  NodeId product = 1;
  for (std::size_t d = 0; d < dimension; ++d) product *= cluster.dimensions[d].size;
  return product;
}

}  // namespace

std::int32_t coordinate(const Cluster& cluster, NodeId rank, std::size_t dimension) {
  return rank / stride(cluster, dimension) % cluster.dimensions[dimension].size;
}

std::int32_t link_dimension(const Cluster& cluster, NodeId a, NodeId b) {
  std::int32_t found = -1;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    const std::int32_t from = coordinate(cluster, a, d), to = coordinate(cluster, b, d);
    if (from == to) continue;
    if (found >= 0 || cluster.dimensions[d].kind == Cluster::Kind::switched) return -1;
    if (distance(cluster.dimensions[d], from, to) != 1 && distance(cluster.dimensions[d], to, from) != 1) return -1;
    found = static_cast<std::int32_t>(d);
  }
  return found;
}

bool in_one_group(const Cluster& cluster, NodeId a, NodeId b, std::size_t dimension) {
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    if (d != dimension && coordinate(cluster, a, d) != coordinate(cluster, b, d)) return false;
  }
  return true;
}

Ticks sending_time(const Cluster::Dimension& dimension, Bytes bytes) {
  return picoseconds(static_cast<double>(bytes.value()) / dimension.bandwidth().value());
}

Ticks waiting_time(const Cluster::Dimension& dimension, std::int64_t rounds) {
  return picoseconds(static_cast<double>(rounds) * dimension.latency.value());
}

NodeId rank_count(const Cluster& cluster) { return stride(cluster, cluster.dimensions.size()); }

NodeId node_count(const Cluster& cluster) {
  const NodeId ranks = rank_count(cluster);
  NodeId count = ranks;
  for (const Cluster::Dimension& d : cluster.dimensions) count += d.reduces ? ranks / d.size : 0;
  return count;
}

bool has_reducing_switch(const Cluster& cluster) {
  return std::any_of(cluster.dimensions.begin(), cluster.dimensions.end(),
                     [](const Cluster::Dimension& d) { return d.reduces; });
}

NodeId switch_of(const Cluster& cluster, NodeId rank, std::size_t dimension) {
  const NodeId ranks = rank_count(cluster);
  NodeId first = ranks;
  for (std::size_t d = 0; d < dimension; ++d) {
    if (cluster.dimensions[d].reduces) first += ranks / cluster.dimensions[d].size;
  }
  const NodeId below = stride(cluster, dimension);
  return first + rank / (below * cluster.dimensions[dimension].size) * below + rank % below;
}

bool linked(const Cluster& cluster, NodeId from, NodeId to) { return default_hops(cluster, from, to) == 1; }

namespace {

/// The member of a switch that a message to or from `rank` passes: the one with the rank's coordinate.
NodeId member_towards(const Cluster& cluster, NodeId node, NodeId rank) {
  const NodeId ranks = rank_count(cluster);
  NodeId first = ranks;
  for (std::size_t d = 0;; ++d) {
    const Cluster::Dimension& dimension = cluster.dimensions[d];
    if (!dimension.reduces) continue;
    const NodeId index = node - first;
    if (index < ranks / dimension.size) {
      const NodeId below = stride(cluster, d);
      const NodeId member = index / below * below * dimension.size + index % below;
      return rank < ranks ? member + coordinate(cluster, rank, d) * below : member;
    }
    first += ranks / dimension.size;
  }
}

}  // namespace

std::vector<NodeId> default_route(const Cluster& cluster, NodeId from, NodeId to) {
  const NodeId ranks = rank_count(cluster);
  if (from == to) return {from};
  if (from >= ranks) {
    std::vector<NodeId> route = default_route(cluster, member_towards(cluster, from, to), to);
    route.insert(route.begin(), from);
    return route;
  }
  if (to >= ranks) {
    std::vector<NodeId> route = default_route(cluster, from, member_towards(cluster, to, from));
    route.push_back(to);
    return route;
  }
  std::vector<NodeId> route{from};
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    const std::int32_t end = coordinate(cluster, to, d);
    for (std::int32_t at = coordinate(cluster, from, d); at != end;) {
      const std::int32_t next = next_coordinate(cluster.dimensions[d], at, end);
      route.push_back(route.back() + (next - at) * stride(cluster, d));
      at = next;
    }
  }
  return route;
}

std::int64_t default_hops(const Cluster& cluster, NodeId from, NodeId to) {
  const NodeId ranks = rank_count(cluster);
  if (from == to) return 0;
  if (from >= ranks) return 1 + default_hops(cluster, member_towards(cluster, from, to), to);
  if (to >= ranks) return 1 + default_hops(cluster, from, member_towards(cluster, to, from));
  std::int64_t hops = 0;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    hops += distance(cluster.dimensions[d], coordinate(cluster, from, d), coordinate(cluster, to, d));
  }
  return hops;
}

}  // namespace muster
