// Embeddings: reduction trees of switches, towards one of them. The result returns down the same tree.
//
// Nodes are connected by a NodeTree. Inside a node, every switch sends along its default route to the switch whose port
// leads to the parent node (the node's local root); in the root node, to the root of all. Next steps of default routes to one
// switch form a tree, so inputs are combined as soon as their paths merge. In a non-participating node on the path, only the
// switches from port to port belong to the tree, and they take nothing from their cores. The idea is that of
// "Accelerating Allreduce with in-network reduction on Intel PIUMA", "Allreduce Embedding".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collective/switches/node_tree.h"
#include "machine/hyperx.h"

namespace muster {

/// What an embedding will be like, known without listing its switches.
struct EmbeddingPlan {
  NodeTree nodes;
  NodeId root = 0;  ///< a switch
  Ticks depth;      ///< picoseconds over all links from the farthest core that takes part
  /// Of every node, only the core at its local root takes part, and only switches on the way from port to port are in the tree.
  bool one_core_per_node = false;
};

/// To the switch `root`, in one of the participants (sorted, different, whole HyperX nodes). Without it: to the switch of least
/// depth, then the lowest, of the central node (tree_to_center).
Outcome<EmbeddingPlan> plan_embedding(const HyperX& hyperx, std::span<const std::int32_t> participants,
                                      std::optional<NodeId> root = std::nullopt);

/// Along given links between nodes, with one core of each: to the port of the root node where everything is soonest.
EmbeddingPlan plan_between_ports(const HyperX& hyperx, NodeTree tree);

struct Embedding {
  std::vector<NodeId> switches;      ///< in the tree, ascending
  std::vector<std::int32_t> parent;  ///< of switches[i], as an index into `switches`; kNoNode at the root
  std::vector<std::int32_t>
      first_child;  ///< switches[i]'s children are [first_child[i], first_child[i + 1]) of `children`
  std::vector<std::int32_t> children;  ///< indices into `switches`, in port order (neighbours())
  std::vector<bool> takes_part;        ///< whether the core of switches[i] does
  std::int32_t root = 0;               ///< index into `switches`
  std::vector<std::int32_t> foreign;   ///< non-participating HyperX nodes on the paths

  [[nodiscard]] std::span<const std::int32_t> children_of(std::int32_t i) const {
    return {children.data() + first_child[static_cast<std::size_t>(i)],
            children.data() + first_child[static_cast<std::size_t>(i) + 1]};
  }
  bool operator==(const Embedding&) const = default;
};

Embedding embed(const HyperX& hyperx, const EmbeddingPlan& plan);

}  // namespace muster
