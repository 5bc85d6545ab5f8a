// Embeddings node by node: all nodes with the same local root have the same internal tree, so it is built once and copied.
#include "collective/switches/embedding.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/index.h"
#include "collective/switches/node_routes.h"
#include "machine/hyperx.h"
#include "result/time_base.h"

namespace muster {
namespace {

/// A node of the tree as seen from its parent.
struct Child {
  std::int32_t parent = 0;  ///< index in NodeTree::nodes
  std::int32_t entry = 0;   ///< switch of the parent, numbered in its node
  std::size_t dimension = 0;
  std::int32_t coordinate = 0;
  std::int32_t index = 0;  ///< its own
  auto operator<=>(const Child&) const = default;
};

/// All nodes but the root: by parent, then in the order of ports.
std::vector<Child> children_by_parent(const HyperX& hyperx, const NodeTree& tree) {
  std::vector<Child> children;
  const NodeId ranks = rank_count(hyperx);
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const std::int32_t node = tree.nodes[i];
    const std::int32_t parent = tree.nodes[at(tree.parent[i])];
    const std::size_t dimension = *node_link_dimension(hyperx, node, parent);
    children.push_back({.parent = tree.parent[i],
                        .entry = (port_switch(hyperx, parent, node) - ranks) % switches_per_node(hyperx),
                        .dimension = dimension,
                        .coordinate = coordinate(hyperx, node, dimension),
                        .index = static_cast<std::int32_t>(i)});
  }
  std::sort(children.begin(), children.end());
  return children;
}

/// The switch, numbered in its node, through which each node but the root sends to its parent; -1 for the root.
std::vector<std::int32_t> exits(const HyperX& hyperx, const NodeTree& tree) {
  std::vector<std::int32_t> exit{-1};
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const NodeId port = port_switch(hyperx, tree.nodes[i], tree.nodes[at(tree.parent[i])]);
    exit.push_back((port - rank_count(hyperx)) % switches_per_node(hyperx));
  }
  return exit;
}

/// When, counted from when all cores begin, the last of a node's inputs is at each switch that has a port to a child node.
struct Arrival {
  std::int32_t entry = 0;
  Ticks time;
};

Ticks last_arrival(const NodeRoutes& routes, std::span<const Arrival> arrivals, bool takes_part) {
  Ticks last = takes_part ? routes.depth : Ticks(0);
  for (const Arrival& arrival : arrivals) last = std::max(last, arrival.time + routes.latency[at(arrival.entry)]);
  return last;
}

/// What arrives in the root node.
std::vector<Arrival> arrivals_at_root(const HyperX& hyperx, const NodeTree& tree, bool one_core_per_node,
                                      RoutesInNode& routes) {
  const std::vector<std::int32_t> exit = exits(hyperx, tree);
  std::vector<std::vector<Arrival>> arrivals(tree.nodes.size());
  const Ticks link = picoseconds(hyperx.node_latency.value());
  const NodeId ranks = rank_count(hyperx);
  for (std::size_t i = tree.nodes.size() - 1; i > 0; --i) {
    const std::int32_t node = tree.nodes[i];
    const std::size_t parent = at(tree.parent[i]);
    const Ticks sent = last_arrival(routes.to(exit[i]), arrivals[i], !one_core_per_node && tree.takes_part(node));
    const NodeId entry = port_switch(hyperx, tree.nodes[parent], node);
    arrivals[parent].push_back({(entry - ranks) % switches_per_node(hyperx), sent + link});
    arrivals[i].clear();
  }
  return std::move(arrivals.front());
}

/// Of the root node: the switch where everything is soonest.
std::pair<Ticks, std::int32_t> central_switch(const RoutesInNode& routes, std::span<const Arrival> arrivals) {
  // All of them, unless a node has very many: then some, spread evenly.
  constexpr std::int64_t kMostLookedAt = std::int64_t{1} << 24;
  const std::int64_t step =
      std::max<std::int64_t>(1, std::int64_t{routes.switches()} * routes.switches() / kMostLookedAt);
  std::pair best{Ticks(std::numeric_limits<std::int64_t>::max()), std::int32_t{0}};
  for (std::int64_t index = 0; index < routes.switches(); index += step) {
    const auto candidate = static_cast<std::int32_t>(index);
    best = std::min(best, {last_arrival(routes.sketch(candidate), arrivals, true), candidate});
  }
  return best;
}

/// Lists the switches of an embedding, node by node.
class Embedder {
 public:
  Embedder(const HyperX& hyperx, const EmbeddingPlan& plan)
      : hyperx_(hyperx),
        tree_(plan.nodes),
        one_core_per_node_(plan.one_core_per_node),
        per_node_(switches_per_node(hyperx)),
        exit_(exits(hyperx, plan.nodes)),
        children_(children_by_parent(hyperx, plan.nodes)),
        routes_(hyperx) {
    exit_[0] = (plan.root - rank_count(hyperx)) % per_node_;
    first_of_.assign(tree_.nodes.size() + 1, 0);
    for (const Child& child : children_) ++first_of_[at(child.parent) + 1];
    for (std::size_t i = 1; i < first_of_.size(); ++i) first_of_[i] += first_of_[i - 1];
  }

  Embedding run() && {
    std::vector<std::int32_t> by_number(tree_.nodes.size());
    for (std::size_t i = 0; i < by_number.size(); ++i) by_number[i] = static_cast<std::int32_t>(i);
    std::sort(by_number.begin(), by_number.end(),
              [&](std::int32_t a, std::int32_t b) { return tree_.nodes[at(a)] < tree_.nodes[at(b)]; });
    list_switches(by_number);
    made_.parent.assign(made_.switches.size(), kNoNode);
    for (const std::int32_t node : by_number) link(node);
    made_.first_child.push_back(static_cast<std::int32_t>(made_.children.size()));
    made_.root = index_of_switch(0, exit_[0]);
    made_.foreign = tree_.foreign;
    return std::move(made_);
  }

 private:
  [[nodiscard]] std::span<const Child> children_of(std::int32_t node) const {
    return {children_.data() + first_of_[at(node)], children_.data() + first_of_[at(node) + 1]};
  }

  /// Whether all switches of a node are in the tree.
  [[nodiscard]] bool takes_whole(std::int32_t node) const {
    return !one_core_per_node_ && tree_.takes_part(tree_.nodes[at(node)]);
  }

  /// Fills switches and takes_part.
  void list_switches(std::span<const std::int32_t> by_number) {
    first_index_.resize(tree_.nodes.size());
    on_path_.resize(tree_.nodes.size());
    for (const std::int32_t node : by_number) {
      const NodeId first = rank_count(hyperx_) + tree_.nodes[at(node)] * per_node_;
      first_index_[at(node)] = static_cast<std::int32_t>(made_.switches.size());
      const bool is_whole = takes_whole(node);
      if (!is_whole) on_path_[at(node)] = switches_on_path(node);
      const std::size_t count = is_whole ? at(per_node_) : on_path_[at(node)].size();
      const bool one_takes_part = one_core_per_node_ && tree_.takes_part(tree_.nodes[at(node)]);
      for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t x = is_whole ? static_cast<std::int32_t>(i) : on_path_[at(node)][i];
        made_.switches.push_back(first + x);
        made_.takes_part.push_back(is_whole || (one_takes_part && x == exit_[at(node)]));
      }
    }
  }

  /// Of a node that is not in the tree as a whole.
  std::vector<std::int32_t> switches_on_path(std::int32_t node) {
    const NodeRoutes& routes = routes_.to(exit_[at(node)]);
    std::vector<bool> is_used(at(per_node_));
    is_used[at(exit_[at(node)])] = true;
    for (const Child& child : children_of(node)) {
      for (std::int32_t x = child.entry; x >= 0 && !is_used[at(x)]; x = routes.next[at(x)]) is_used[at(x)] = true;
    }
    std::vector<std::int32_t> used;
    for (std::int32_t x = 0; x < per_node_; ++x) {
      if (is_used[at(x)]) used.push_back(x);
    }
    return used;
  }

  /// The index of a switch of a node in the list; kNoNode if it is none of the tree.
  [[nodiscard]] std::int32_t index_of_switch(std::int32_t node, std::int32_t x) const {
    if (takes_whole(node)) return first_index_[at(node)] + x;
    const std::vector<std::int32_t>& used = on_path_[at(node)];
    const auto found = std::lower_bound(used.begin(), used.end(), x);
    if (found == used.end() || *found != x) return kNoNode;
    return first_index_[at(node)] + static_cast<std::int32_t>(found - used.begin());
  }

  /// Children of the switches of a node, and the parents of these children.
  void link(std::int32_t node) {
    const NodeRoutes& routes = routes_.to(exit_[at(node)]);
    auto child = children_of(node).begin();
    const auto end = children_of(node).end();
    for (std::int32_t x = 0; x < per_node_; ++x) {
      const std::int32_t here = index_of_switch(node, x);
      if (here == kNoNode) continue;
      made_.first_child.push_back(static_cast<std::int32_t>(made_.children.size()));
      for (std::int32_t i = routes.first_child[at(x)]; i < routes.first_child[at(x) + 1]; ++i) {
        adopt(here, index_of_switch(node, routes.children[at(i)]));
      }
      for (; child != end && child->entry == x; ++child) {
        adopt(here, index_of_switch(child->index, exit_[at(child->index)]));
      }
    }
  }

  void adopt(std::int32_t parent, std::int32_t child) {
    if (child == kNoNode) return;
    made_.children.push_back(child);
    made_.parent[at(child)] = parent;
  }

  const HyperX& hyperx_;
  const NodeTree& tree_;
  bool one_core_per_node_;
  std::int32_t per_node_;
  std::vector<std::int32_t> exit_;  ///< by index in the tree of nodes
  std::vector<Child> children_;
  std::vector<std::int32_t> first_of_;  ///< node i's children are [first_of_[i], first_of_[i + 1]) of children_
  RoutesInNode routes_;
  std::vector<std::int32_t> first_index_;           ///< by index in the tree of nodes: of its first switch
  std::vector<std::vector<std::int32_t>> on_path_;  ///< the switches of a node that is not whole
  Embedding made_;
};

}  // namespace

Outcome<EmbeddingPlan> plan_embedding(const HyperX& hyperx, std::span<const std::int32_t> participants,
                                      std::optional<NodeId> root) {
  Outcome<NodeTree> tree =
      root ? tree_to(hyperx, participants, coordinates_of(hyperx, *root).node) : tree_to_center(hyperx, participants);
  if (!tree) return Refusal{tree.reason()};
  RoutesInNode routes(hyperx);
  const std::vector<Arrival> arrivals = arrivals_at_root(hyperx, tree.value(), false, routes);
  EmbeddingPlan plan{.nodes = std::move(tree).value()};
  if (root) {
    plan.root = *root;
    const HyperXCoordinates coordinates = coordinates_of(hyperx, *root);
    plan.depth =
        last_arrival(routes.sketch(coordinates.socket * cores_per_socket(hyperx) + coordinates.core), arrivals, true);
  } else {
    const auto [depth, central] = central_switch(routes, arrivals);
    plan.root = rank_count(hyperx) + plan.nodes.root() * switches_per_node(hyperx) + central;
    plan.depth = depth;
  }
  return plan;
}

EmbeddingPlan plan_between_ports(const HyperX& hyperx, NodeTree tree) {
  RoutesInNode routes(hyperx);
  const std::vector<Arrival> arrivals = arrivals_at_root(hyperx, tree, true, routes);
  std::pair best{Ticks(0), std::int32_t{0}};
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const std::pair candidate{last_arrival(routes.sketch(arrivals[i].entry), arrivals, false), arrivals[i].entry};
    if (i == 0 || candidate < best) best = candidate;
  }
  const NodeId root = rank_count(hyperx) + tree.root() * switches_per_node(hyperx) + best.second;
  return {.nodes = std::move(tree), .root = root, .depth = best.first, .one_core_per_node = true};
}

Embedding embed(const HyperX& hyperx, const EmbeddingPlan& plan) { return Embedder(hyperx, plan).run(); }

}  // namespace muster
