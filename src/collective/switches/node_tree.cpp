// Trees of HyperX nodes, by a search from the root for the best ways.
#include "collective/switches/node_tree.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>

#include "base/index.h"
#include "machine/hyperx.h"
#include "result/time_base.h"

namespace muster {
namespace {

/// How far a node is from the root: nodes on the way that take no part, itself included, then hops.
struct Distance {
  std::int32_t foreign = std::numeric_limits<std::int32_t>::max();
  std::int32_t hops = 0;
  auto operator<=>(const Distance&) const = default;
};

constexpr Distance kUnreached{};

/// The next node of the default route.
std::int32_t default_next(const HyperX& hyperx, std::int32_t from, std::int32_t to) {
  std::int32_t stride = 1;
  for (std::size_t d = 0; d < hyperx.shape.size(); ++d) {
    const std::int32_t by = coordinate(hyperx, to, d) - coordinate(hyperx, from, d);
    if (by != 0) return from + by * stride;
    stride *= hyperx.shape[d];
  }
  return to;
}

/// visit(neighbour) for every node with a whole link to `node`.
template <class Visit>
void for_each_neighbour(const HyperX& hyperx, std::int32_t node, Visit visit) {
  std::int32_t stride = 1;
  for (std::size_t d = 0; d < hyperx.shape.size(); ++d) {
    const std::int32_t own = coordinate(hyperx, node, d);
    for (std::int32_t to = 0; to < hyperx.shape[d]; ++to) {
      const std::int32_t other = node + (to - own) * stride;
      if (to != own && !has_failed(hyperx, node, other)) visit(other);
    }
    stride *= hyperx.shape[d];
  }
}

/// The distances of nodes from a root, as far as it takes to reach all participants.
class Search {
 public:
  Search(const HyperX& hyperx, std::span<const std::int32_t> participants)
      : hyperx_(hyperx), participants_(participants), takes_part_(at(hyperx_nodes(hyperx))) {
    for (const std::int32_t node : participants) takes_part_[at(node)] = true;
  }

  /// The distance of the farthest participant, or one that is not reached.
  Outcome<Distance> from(std::int32_t root) {
    distance_.assign(takes_part_.size(), kUnreached);
    settled_.clear();
    using Entry = std::pair<Distance, std::int32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance_[at(root)] = {0, 0};
    queue.push({{0, 0}, root});
    std::size_t left = participants_.size();
    while (!queue.empty()) {
      const auto [distance, node] = queue.top();
      queue.pop();
      if (distance != distance_[at(node)]) continue;
      settled_.push_back(node);
      if (takes_part_[at(node)] && --left == 0) return distance;
      for_each_neighbour(hyperx_, node, [&, known = distance](std::int32_t other) {
        const Distance further = behind(known, other);
        if (further >= distance_[at(other)]) return;
        distance_[at(other)] = further;
        queue.push({further, other});
      });
    }
    for (const std::int32_t node : participants_) {
      if (distance_[at(node)] == kUnreached) {
        return Refusal{fmt::format("cannot reach node {} from node {} because of failures", node, root)};
      }
    }
    MUSTER_ASSERT(false, "participants of the search are named twice");
    return Refusal{};
  }

  /// After from(root): who sends to whom.
  [[nodiscard]] NodeTree tree(std::int32_t root) const {
    std::vector<std::int32_t> parent(takes_part_.size(), kNoNode);
    std::vector<std::int64_t> latency(takes_part_.size(), 0);  // from the port of a node to the root node
    for (const std::int32_t node : settled_) {
      if (node == root) continue;
      parent[at(node)] = best_next(node, root, parent, latency);
      latency[at(node)] = latency_through(node, parent[at(node)], parent, latency);
    }
    return kept(root, parent);
  }

 private:
  [[nodiscard]] Distance behind(Distance known, std::int32_t node) const {
    return {known.foreign + (takes_part_[at(node)] ? 0 : 1), known.hops + 1};
  }

  [[nodiscard]] std::int32_t best_next(std::int32_t node, std::int32_t root, const std::vector<std::int32_t>& parent,
                                       const std::vector<std::int64_t>& latency) const {
    const auto is_on_path = [&](std::int32_t next) {
      const Distance known = distance_[at(next)];
      return known < distance_[at(node)] && behind(known, node) == distance_[at(node)];
    };
    const std::int32_t usual = default_next(hyperx_, node, root);
    if (!has_failed(hyperx_, node, usual) && is_on_path(usual)) return usual;
    std::pair best{std::numeric_limits<std::int64_t>::max(), kNoNode};
    for_each_neighbour(hyperx_, node, [&](std::int32_t next) {
      if (is_on_path(next)) best = std::min(best, {latency_through(node, next, parent, latency), next});
    });
    return best.second;
  }

  [[nodiscard]] std::int64_t latency_through(std::int32_t node, std::int32_t next,
                                             const std::vector<std::int32_t>& parent,
                                             const std::vector<std::int64_t>& latency) const {
    const std::int64_t link = picoseconds(hyperx_.node_latency.value()).value();
    if (parent[at(next)] == kNoNode) return link;
    const NodeId entry = port_switch(hyperx_, next, node);
    const NodeId exit = port_switch(hyperx_, next, parent[at(next)]);
    return link + route_latency(hyperx_, entry, exit).value() + latency[at(next)];
  }

  /// Participants and those that they pass, in the order of distances.
  [[nodiscard]] NodeTree kept(std::int32_t root, const std::vector<std::int32_t>& parent) const {
    std::vector<bool> keeps(takes_part_.size());
    for (const std::int32_t participant : participants_) {
      for (std::int32_t node = participant; node != kNoNode && !keeps[at(node)]; node = parent[at(node)]) {
        keeps[at(node)] = true;
      }
    }
    NodeTree tree;
    std::vector<std::int32_t> index(takes_part_.size(), kNoNode);
    for (const std::int32_t node : settled_) {
      if (!keeps[at(node)]) continue;
      index[at(node)] = static_cast<std::int32_t>(tree.nodes.size());
      tree.nodes.push_back(node);
      tree.parent.push_back(node == root ? kNoNode : index[at(parent[at(node)])]);
      if (!takes_part_[at(node)]) tree.foreign.push_back(node);
    }
    std::sort(tree.foreign.begin(), tree.foreign.end());
    return tree;
  }

  const HyperX& hyperx_;
  std::span<const std::int32_t> participants_;
  std::vector<bool> takes_part_;
  std::vector<Distance> distance_;
  std::vector<std::int32_t> settled_;  ///< in the order of distances
};

/// The union of default routes of all nodes of a whole machine: what the search finds, without searching.
NodeTree tree_of_all(const HyperX& hyperx, std::int32_t root) {
  const std::int32_t count = hyperx_nodes(hyperx);
  const std::size_t dimensions = hyperx.shape.size();
  std::vector<std::vector<std::int32_t>> by_hops(dimensions + 1);
  for (std::int32_t node = 0; node < count; ++node) {
    std::size_t hops = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      hops += coordinate(hyperx, node, d) != coordinate(hyperx, root, d) ? 1U : 0U;
    }
    by_hops[hops].push_back(node);
  }
  NodeTree tree;
  std::vector<std::int32_t> index(at(count), kNoNode);
  for (const std::vector<std::int32_t>& nodes : by_hops) {
    for (const std::int32_t node : nodes) {
      index[at(node)] = static_cast<std::int32_t>(tree.nodes.size());
      tree.nodes.push_back(node);
      tree.parent.push_back(node == root ? kNoNode : index[at(default_next(hyperx, node, root))]);
    }
  }
  return tree;
}

/// Whether these are all nodes of a machine without failures.
bool is_every_node(const HyperX& hyperx, std::span<const std::int32_t> participants) {
  return !has_failures(hyperx) && participants.size() == at(hyperx_nodes(hyperx));
}

/// A participant as a root.
struct Candidate {
  std::int32_t hops = 0;             ///< to the farthest participant if all links were there
  std::int64_t from_the_middle = 0;  ///< of the participants' coordinates, doubled
  std::int32_t node = 0;
  auto operator<=>(const Candidate&) const = default;
};

/// All participants, the most promising first.
std::vector<Candidate> candidates(const HyperX& hyperx, std::span<const std::int32_t> participants) {
  const std::size_t dimensions = hyperx.shape.size();
  std::vector<std::int32_t> coordinates;
  for (const std::int32_t node : participants) {
    for (std::size_t d = 0; d < dimensions; ++d) coordinates.push_back(coordinate(hyperx, node, d));
  }
  std::vector<std::int32_t> ends(dimensions);  // the least and the largest coordinate, added up
  std::int32_t most_hops = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    std::int32_t largest = 0;
    for (std::size_t i = d; i < coordinates.size(); i += dimensions) {
      least = std::min(least, coordinates[i]);
      largest = std::max(largest, coordinates[i]);
    }
    ends[d] = least + largest;
    most_hops += least < largest ? 1 : 0;
  }
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < participants.size(); ++i) {
    Candidate candidate{.node = participants[i]};
    const std::int32_t* const own = coordinates.data() + i * dimensions;
    for (std::size_t d = 0; d < dimensions; ++d) candidate.from_the_middle += std::abs(2 * own[d] - ends[d]);
    for (std::size_t j = 0; j < participants.size() && candidate.hops < most_hops; ++j) {
      const std::int32_t* const other = coordinates.data() + j * dimensions;
      std::int32_t hops = 0;
      for (std::size_t d = 0; d < dimensions; ++d) hops += own[d] != other[d] ? 1 : 0;
      candidate.hops = std::max(candidate.hops, hops);
    }
    all.push_back(candidate);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

bool NodeTree::takes_part(std::int32_t node) const { return !std::binary_search(foreign.begin(), foreign.end(), node); }

Outcome<NodeTree> tree_to(const HyperX& hyperx, std::span<const std::int32_t> participants, std::int32_t root) {
  if (is_every_node(hyperx, participants)) return tree_of_all(hyperx, root);
  Search search(hyperx, participants);
  const Outcome<Distance> farthest = search.from(root);
  if (!farthest) return Refusal{farthest.reason()};
  return search.tree(root);
}

Outcome<NodeTree> tree_to_center(const HyperX& hyperx, std::span<const std::int32_t> participants) {
  const std::vector<Candidate> roots = candidates(hyperx, participants);
  if (is_every_node(hyperx, participants)) return tree_of_all(hyperx, roots.front().node);
  constexpr std::size_t kMostTried = 64;  // each costs a search; the best estimates come first
  Search search(hyperx, participants);
  std::pair best{kUnreached, kNoNode};
  for (std::size_t i = 0; i < std::min(roots.size(), kMostTried); ++i) {
    if (best.first <= Distance{0, roots[i].hops}) break;  // no later one can be nearer
    const Outcome<Distance> farthest = search.from(roots[i].node);
    if (!farthest) return Refusal{farthest.reason()};
    if (farthest.value() < best.first) best = {farthest.value(), roots[i].node};
  }
  return tree_to(hyperx, participants, best.second);
}

std::vector<std::int32_t> participants_of(const NodeTree& tree) {
  std::vector<std::int32_t> nodes;
  std::copy_if(tree.nodes.begin(), tree.nodes.end(), std::back_inserter(nodes),
               [&](std::int32_t node) { return tree.takes_part(node); });
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::vector<std::int32_t> whole_nodes(const HyperX& hyperx) {
  std::vector<std::int32_t> nodes;
  for (std::int32_t node = 0; node < hyperx_nodes(hyperx); ++node) {
    if (!has_failed(hyperx, node)) nodes.push_back(node);
  }
  return nodes;
}

NodeId port_switch(const HyperX& hyperx, std::int32_t from, std::int32_t to) {
  const std::optional<std::size_t> dimension = node_link_dimension(hyperx, from, to);
  MUSTER_ASSERT(dimension, "nodes {} and {} have no link", from, to);
  return switch_at(hyperx, node_port(hyperx, from, *dimension, coordinate(hyperx, to, *dimension)));
}

}  // namespace muster
