// In-network trees: where every node has one vector, pieces of it are reduced on several trees at once.
//
// Steps: spanning trees of the nodes that share no link between nodes (tree_packing.h), of which a HyperX with |E| links and N
// nodes has floor(|E| / (N - 1)): 3 for 4x4. Inside a node a tree goes from port to port; each port has a socket of its own, and
// default routes between two sockets stay in them, so no two trees share a switch and all run side by side. A tree's piece of
// the vector lies, at every node, in the memory of the core at the port to the parent. Busiest link: a piece per direction.
//
// Where every *core* has a vector, this cannot help: all trees would need every core's switch, and a switch runs one collective
// at a time. Source: the outlook of "Accelerating Allreduce with in-network reduction on Intel PIUMA", "Discussion".
//
// Cost (ours): the longest of what the trees take, each as in in_network.cpp.
#include <algorithm>
#include <limits>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/switches/groups.h"
#include "collective/switches/packet_times.h"
#include "collective/switches/tree_packing.h"
#include "collective/switches/tree_schedule.h"

namespace muster {
namespace {

/// The links between participants, as places among them.
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

/// The tree's vertices from one on, parents first, and the place of each one's parent.
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
  std::vector<std::int32_t> path;  // places, from the other end
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

std::vector<EmbeddingPlan> plans_of(const Request& request, std::int64_t trees) {
  const HyperX& hyperx = *request.machine.hyperx();
  const std::vector<std::int32_t> nodes = participants(request);
  const std::vector<GraphEdge> links = links_between(hyperx, nodes);
  std::vector<EmbeddingPlan> plans;
  for (const std::vector<std::int32_t>& chosen : spanning_trees(hyperx, nodes, trees)) {
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

/// The words of piece i; pieces are whole packets, but for the last one.
std::int64_t words_of_piece(const Request& request, std::int64_t pieces, std::int64_t i) {
  const std::int64_t unit =
      std::max<std::int64_t>(1, request.machine.hyperx()->packet.value() / static_cast<std::int64_t>(sizeof(Word)));
  const std::int64_t units = (request.count + unit - 1) / unit;
  const auto end = [&](std::int64_t piece) { return std::min(request.count, units * piece / pieces * unit); };
  return end(i + 1) - end(i);
}

constexpr std::int64_t kMostNodes = 128;  ///< whose trees are looked for: on twice as many that takes a second

std::optional<std::string> unsupported(const Request& request) {
  if (!request.vector_per_node) {
    return "needs one vector per node: with one per core, every core's switch would be in every tree, and a switch "
           "runs "
           "one at a time";
  }
  const Outcome<std::vector<std::vector<std::int32_t>>> groups = groups_of(request);
  if (!groups) return groups.reason();
  if (groups.value().size() > 1) return fmt::format("works for one group, got {}", groups.value().size());
  const HyperX& hyperx = *request.machine.hyperx();
  const std::vector<std::int32_t>& nodes = groups.value().front();
  if (static_cast<std::int64_t>(nodes.size()) > kMostNodes) {
    return fmt::format("looks for trees of up to {} nodes, got {}", kMostNodes, nodes.size());
  }
  std::int32_t ports = 0;
  for (const std::int32_t size : hyperx.shape) ports += size - 1;
  if (ports > hyperx.sockets) {
    return fmt::format("needs a socket for each of a node's {} ports to other nodes, got {}", ports, hyperx.sockets);
  }
  const Outcome<NodeTree> tree = tree_to(hyperx, nodes, nodes.front());
  if (!tree) return tree.reason();
  if (tree.value().foreign.empty()) return std::nullopt;
  return fmt::format("would pass node {}, which takes no part", tree.value().foreign.front());
}

/// With every tree a word at least. Defaults may be asked for before it is known whether there is any.
std::int64_t most_trees(const Request& request) {
  if (unsupported(request)) return 1;
  const std::int64_t trees = static_cast<std::int64_t>(
      spanning_trees(*request.machine.hyperx(), participants(request), std::numeric_limits<std::int32_t>::max())
          .size());
  return std::clamp<std::int64_t>(trees, 1, request.count);
}

ParameterSpec trees_parameter() {
  return {
      .name = "trees",
      .summary = "trees that share no link, each with a piece of the vector; default: as many as there are",
      .by_default = most_trees,
      .least = [](const Request&) { return std::int64_t{1}; },
      .most = most_trees,
      .worth_trying = [](const Request&) { return std::vector<std::int64_t>{1}; }};  // for short vectors: not as deep
}

Schedule make(const Request& request, const Parameters& parameters) {
  const HyperX& hyperx = *request.machine.hyperx();
  const std::vector<EmbeddingPlan> plans = plans_of(request, parameters.at("trees"));
  const auto pieces = static_cast<std::int64_t>(plans.size());
  ScheduleBuilder b({.nodes = node_count(hyperx), .count = request.count});
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t words = words_of_piece(request, pieces, i);
    if (words == 0) continue;
    const Embedding embedding = embed(hyperx, plans[at(i)]);
    Contract contract{.collective = Collective::allreduce, .count = words};
    for (std::size_t s = 0; s < embedding.switches.size(); ++s) {
      if (embedding.takes_part[s]) contract.ranks.push_back(embedding.switches[s] - rank_count(hyperx));
    }
    write_tree(b, hyperx, embedding, {.collective = Collective::allreduce, .elements = b.span({0, words})});
    b.contract(std::move(contract));
  }
  return std::move(b).finish();
}

Cycles cost(const Request& request, const Parameters& parameters) {
  const std::vector<EmbeddingPlan> plans = plans_of(request, parameters.at("trees"));
  const auto pieces = static_cast<std::int64_t>(plans.size());
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t words = words_of_piece(request, pieces, i);
    if (words == 0) continue;
    const PacketTimes t(*request.machine.hyperx(), words);
    longest = std::max(longest, t.through(t.shared, 2 * plans[at(i)].depth.value()));
  }
  return Cycles(longest);
}

}  // namespace

Algorithm allreduce_in_network_trees() {
  return {.collective = Collective::allreduce,
          .name = "in-network-trees",
          .family = "hyperx",
          .summary = "pieces of one vector per node on several trees of switches that share no link",
          .source = "Accelerating Allreduce with in-network reduction on Intel PIUMA, \"Discussion\"",
          .parameters = {trees_parameter()},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {}};
}

}  // namespace muster
