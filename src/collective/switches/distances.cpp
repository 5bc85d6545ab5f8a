// Shortest paths by Dijkstra's algorithm. Links have three latencies, by level, and switches are settled in the order of their
// distance: so what is found over links of one level comes in ascending order, and three plain queues replace a heap.
#include "collective/switches/distances.h"

#include <array>

#include "base/index.h"
#include "machine/hyperx.h"
#include "result/time_base.h"

namespace muster {
namespace {

enum Level : std::uint8_t { kCore, kSocket, kNode };

struct Found {
  Ticks distance;
  NodeId at = 0;  ///< the number of its core
};

/// A port to other nodes: the same at every node but for what its number stands for.
struct NodePort {
  std::size_t dimension = 0;
  std::int32_t number = 0;  ///< among those of its dimension; the own coordinate is left out
};

class ShortestWays {
 public:
  explicit ShortestWays(const HyperX& hyperx)
      : hyperx_(hyperx),
        per_node_(switches_per_node(hyperx)),
        latency_{picoseconds(hyperx.core_latency.value()), picoseconds(hyperx.socket_latency.value()),
                 picoseconds(hyperx.node_latency.value())},
        inside_(at(per_node_)),
        ports_(at(per_node_)) {
    find_links();
    distance_.assign(at(rank_count(hyperx)), kNoWay);
  }

  std::vector<Ticks> from(NodeId core) && {
    reach(kCore, {Ticks(0), core});
    while (const std::optional<Found> next = nearest()) {
      if (next->distance == distance_[at(next->at)]) look_around(*next);  // otherwise a nearer path was found since
    }
    return std::move(distance_);
  }

 private:
  struct Inside {
    std::int32_t to = 0;  ///< a switch of the same node, numbered in it
    Level level = kCore;
  };

  void find_links() {
    HyperX single_node = hyperx_;
    single_node.shape.clear();
    single_node.failed_nodes.clear();
    single_node.failed_links.clear();
    for (std::int32_t x = 0; x < per_node_; ++x) {
      for (const NodeId other : neighbours(single_node, per_node_ + x)) {
        const std::int32_t to = other - per_node_;
        const bool same_socket = to / cores_per_socket(single_node) == x / cores_per_socket(single_node);
        inside_[at(x)].push_back({to, same_socket ? kCore : kSocket});
      }
    }
    stride_.push_back(1);
    for (std::size_t d = 0; d < hyperx_.shape.size(); ++d) {
      stride_.push_back(stride_.back() * hyperx_.shape[d]);
      port_switch_.emplace_back();
      for (std::int32_t number = 0; number + 1 < hyperx_.shape[d]; ++number) {
        const HyperXCoordinates coordinates =
            node_port(hyperx_, 0, d, number + 1);  // of node 0, whose own coordinate is 0
        port_switch_[d].push_back(coordinates.socket * cores_per_socket(hyperx_) + coordinates.core);
        ports_[at(port_switch_[d].back())].push_back({d, number});
      }
    }
  }

  /// Unless it was found as near as that before.
  void reach(Level level, Found found) {
    Ticks& nearest = distance_[at(found.at)];
    if (nearest != kNoWay && nearest <= found.distance) return;
    nearest = found.distance;
    queue_[level].push_back(found);
  }

  /// Takes the nearest of what was found.
  std::optional<Found> nearest() {
    int best = -1;
    for (int level = kCore; level <= kNode; ++level) {
      if (next_[level] == queue_[level].size()) continue;
      if (best < 0 || queue_[level][next_[level]].distance < queue_[best][next_[best]].distance) best = level;
    }
    if (best < 0) return std::nullopt;
    return queue_[best][next_[best]++];
  }

  void look_around(const Found& here) {
    const std::int32_t node = here.at / per_node_;
    const std::int32_t x = here.at % per_node_;
    for (const Inside& link : inside_[at(x)]) {
      reach(link.level, {here.distance + latency_[link.level], node * per_node_ + link.to});
    }
    for (const NodePort& port : ports_[at(x)]) {
      const std::int32_t stride = stride_[port.dimension];
      const std::int32_t own = node / stride % hyperx_.shape[port.dimension];
      const std::int32_t to = port.number < own ? port.number : port.number + 1;
      const std::int32_t other = node + (to - own) * stride;
      if (has_failures(hyperx_) && has_failed(hyperx_, node, other)) continue;
      const std::int32_t entry = port_switch_[port.dimension][at(own < to ? own : own - 1)];
      reach(kNode, {here.distance + latency_[kNode], other * per_node_ + entry});
    }
  }

  const HyperX& hyperx_;
  std::int32_t per_node_;
  std::array<Ticks, 3> latency_;
  std::vector<std::vector<Inside>> inside_;             ///< by switch of a node
  std::vector<std::vector<NodePort>> ports_;            ///< by switch of a node
  std::vector<std::vector<std::int32_t>> port_switch_;  ///< by dimension and number: the switch of a node
  std::vector<std::int32_t> stride_;
  std::array<std::vector<Found>, 3> queue_;
  std::array<std::size_t, 3> next_{};
  std::vector<Ticks> distance_;  ///< the least that was found
};

}  // namespace

std::vector<Ticks> distances_from(const HyperX& hyperx, NodeId from) {
  return ShortestWays(hyperx).from(from % rank_count(hyperx));
}

}  // namespace muster
