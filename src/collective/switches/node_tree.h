// Trees of HyperX nodes: the paths of the participants' data to one of them.
//
// Paths cross as few non-participating nodes as possible, and among such paths have the fewest hops. If the default route, dimension
// by dimension, is one of them, it is used; otherwise the one of least latency, then the lowest next node. Without failures, and with
// all nodes participating, the tree is the union of the default routes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "machine/hyperx.h"

namespace muster {

inline constexpr std::int32_t kNoNode = -1;

struct NodeTree {
  std::vector<std::int32_t> nodes;    ///< HyperX nodes, parents before children: the first is the root
  std::vector<std::int32_t> parent;   ///< of nodes[i], as an index into `nodes`; kNoNode at the root
  std::vector<std::int32_t> foreign;  ///< those that are passed and take no part, sorted

  [[nodiscard]] std::int32_t root() const { return nodes.front(); }
  [[nodiscard]] bool takes_part(std::int32_t node) const;
};

/// The tree of `participants` (sorted, different, whole) to one of them. Nothing, with the reason, if one cannot be reached.
Outcome<NodeTree> tree_to(const HyperX& hyperx, std::span<const std::int32_t> participants, std::int32_t root);

/// The same to the participant of least eccentricity, in nodes that take no part and then in hops; of those, the one nearest to
/// the middle of the participants' coordinates, then the lowest. In a whole HyperX: at the midpoint coordinates.
Outcome<NodeTree> tree_to_center(const HyperX& hyperx, std::span<const std::int32_t> participants);

/// The nodes that take part, sorted.
std::vector<std::int32_t> participants_of(const NodeTree& tree);

/// Every node that has not failed.
std::vector<std::int32_t> whole_nodes(const HyperX& hyperx);

/// The switch of `from` whose port leads to the neighbouring node `to`.
NodeId port_switch(const HyperX& hyperx, std::int32_t from, std::int32_t to);

}  // namespace muster
