// Links between nodes as a graph, its spanning trees hung up in the middle, and pieces of whole packets.
#include "collective/switches/several_trees.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/index.h"
#include "collective/switches/groups.h"
#include "collective/switches/packet_times.h"
#include "collective/switches/tree_packing.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

constexpr std::size_t kMostNodes = 128;  ///< whose trees are looked for: on twice as many that takes a second

/// The links between participants, as indices among them.
std::vector<GraphEdge> links_between(const HyperX& hyperx, std::span<const std::int32_t> participants) {
  std::vector<GraphEdge> links;
  for (std::size_t a = 0; a < participants.size(); ++a) {
    for (std::size_t b = a + 1; b < participants.size(); ++b) {
      const std::int32_t first = participants[a];
      const std::int32_t second = participants[b];
      if (node_link_dimension(hyperx, first, second) && !has_failed(hyperx, first, second)) {
        links.emplace_back(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
      }
    }
  }
  return links;
}

/// A tree as lists of neighbours.
using Neighbours = std::vector<std::vector<std::int32_t>>;

/// The tree's vertices from one on, parents first, and the index of each vertex's parent.
NodeTree hung_up(const Neighbours& neighbours_in_tree, std::int32_t root) {
  NodeTree tree{.nodes = {root}, .parent = {kNoNode}, .foreign = {}};
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    for (const std::int32_t other : neighbours_in_tree[at(tree.nodes[i])]) {
      if (tree.parent[i] != kNoNode && tree.nodes[at(tree.parent[i])] == other) continue;
      tree.nodes.push_back(other);
      tree.parent.push_back(static_cast<std::int32_t>(i));
    }
  }
  return tree;
}

/// The same, hung up in the middle of its longest path.
NodeTree hung_up_in_the_middle(const Neighbours& neighbours_in_tree) {
  const std::int32_t end = hung_up(neighbours_in_tree, 0).nodes.back();
  const NodeTree from_end = hung_up(neighbours_in_tree, end);
  std::vector<std::int32_t> path;  // indices, from the other end
  for (auto i = static_cast<std::int32_t>(from_end.nodes.size()) - 1; i != kNoNode; i = from_end.parent[at(i)]) {
    path.push_back(i);
  }
  return hung_up(neighbours_in_tree, from_end.nodes[at(path[path.size() / 2])]);
}

/// The only group of the request.
std::vector<std::int32_t> participants(const Request& request) { return groups_of(request).value().front(); }

std::vector<std::vector<std::int32_t>> spanning_trees(const HyperX& hyperx, std::span<const std::int32_t> nodes,
                                                      std::int64_t most) {
  return pack_spanning_trees(static_cast<std::int32_t>(nodes.size()), links_between(hyperx, nodes),
                             static_cast<std::int32_t>(most));
}

}  // namespace

std::vector<EmbeddingPlan> plan_trees(const Request& request, std::int64_t most) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const std::vector<std::int32_t> nodes = participants(request);
  if (why_one_tree(request)) {
    return {plan_between_ports(hyperx, tree_to_center(hyperx, nodes).value())};
  }
  const std::vector<GraphEdge> links = links_between(hyperx, nodes);
  std::vector<EmbeddingPlan> plans;
  for (const std::vector<std::int32_t>& chosen : spanning_trees(hyperx, nodes, most)) {
    Neighbours neighbours_in_tree(nodes.size());
    for (const std::int32_t link : chosen) {
      const auto [a, b] = links[at(link)];
      neighbours_in_tree[at(a)].push_back(b);
      neighbours_in_tree[at(b)].push_back(a);
    }
    NodeTree tree = hung_up_in_the_middle(neighbours_in_tree);
    for (std::int32_t& node : tree.nodes) node = nodes[at(node)];
    plans.push_back(plan_between_ports(hyperx, std::move(tree)));
  }
  return plans;
}

std::optional<std::string> why_one_tree(const Request& request) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const std::size_t nodes = participants(request).size();
  if (nodes > kMostNodes) return fmt::format("several trees are supported on up to {} nodes", kMostNodes);
  std::int32_t ports = 0;
  for (const std::int32_t size : hyperx.shape) ports += size - 1;
  if (ports <= hyperx.sockets) return std::nullopt;
  return fmt::format("several trees need a socket for each of a node's {} ports to other nodes, got {}", ports,
                     hyperx.sockets);
}

std::int64_t count_trees(const Request& request) {
  if (why_one_tree(request)) return 1;
  const std::vector<std::int32_t> nodes = participants(request);
  return static_cast<std::int64_t>(
      spanning_trees(*as<HyperX>(request.machine), nodes, std::numeric_limits<std::int32_t>::max()).size());
}

std::vector<Ticks> depths_of(const std::vector<EmbeddingPlan>& plans) {
  std::vector<Ticks> depths;
  for (const EmbeddingPlan& plan : plans) depths.push_back(plan.depth);
  return depths;
}

std::int64_t words_of_packet(const HyperX& hyperx) {
  return std::max<std::int64_t>(1, hyperx.packet.value() / static_cast<std::int64_t>(sizeof(Word)));
}

std::int64_t packets_of(const HyperX& hyperx, std::int64_t words) {
  const std::int64_t unit = words_of_packet(hyperx);
  return (words + unit - 1) / unit;
}

std::int64_t words_of_piece(const HyperX& hyperx, std::int64_t words, const Piece& piece) {
  const std::int64_t unit = words_of_packet(hyperx);
  const std::int64_t units = packets_of(hyperx, words);
  const auto end = [&](std::int64_t number) { return std::min(words, units * number / piece.pieces * unit); };
  return end(piece.number + 1) - end(piece.number);
}

Ticks time_on_trees(const HyperX& hyperx, const std::vector<Ticks>& depths, std::int64_t words) {
  const auto pieces = static_cast<std::int64_t>(depths.size());
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t own = words_of_piece(hyperx, words, {.pieces = pieces, .number = i});
    if (own == 0) continue;
    const PacketTimes t(hyperx, own);
    longest = std::max(longest, t.through(t.shared, 2 * depths[at(i)].value()));
  }
  return Ticks(longest);
}

}  // namespace muster
