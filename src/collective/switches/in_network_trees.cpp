// In-network trees: where every node has one vector, pieces of it are reduced on several trees at once.
//
// Steps: spanning trees of the nodes that share no link between nodes (tree_packing.h), of which a HyperX with |E| links and N
// nodes has floor(|E| / (N - 1)): 3 for 4x4. Inside a node a tree goes from port to port; each port has a socket of its own, and
// default routes between two sockets stay in them, so no two trees share a switch and all run concurrently. A tree's piece of
// the vector lies, at every node, in the memory of the core at the port to the parent. Busiest link: a piece per direction. On
// large machines, and where nodes have more ports than sockets, there is one tree.
//
// Where every *core* has a vector, this cannot help: all trees would need every core's switch, and a switch runs one collective
// at a time. Source: the outlook of "Accelerating Allreduce with in-network reduction on Intel PIUMA", "Discussion".
//
// Cost (ours): the longest of what the trees take, each as in in_network.cpp.
#include <algorithm>
#include <numeric>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/switches/groups.h"
#include "collective/switches/several_trees.h"
#include "collective/switches/tree_schedule.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

std::optional<std::string> unsupported(const Request& request) {
  if (!request.options.of<HyperXOptions>().vector_per_node) {
    return "needs one vector per node (--vectors node); with one per core, every switch would be in every tree, and a "
           "switch runs one tree at a time";
  }
  const Outcome<std::vector<std::vector<std::int32_t>>> groups = groups_of(request);
  if (!groups) return groups.reason();
  if (groups.value().size() > 1) return fmt::format("supports one group, got {}", groups.value().size());
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const std::vector<std::int32_t>& nodes = groups.value().front();
  const Outcome<NodeTree> tree = tree_to(hyperx, nodes, nodes.front());
  if (!tree) return tree.reason();
  if (tree.value().foreign.empty()) return std::nullopt;
  return fmt::format("would pass through node {}, which does not participate", tree.value().foreign.front());
}

/// With every tree a packet at least: pieces are whole ones. Defaults may be asked for before it is known whether there is any.
std::int64_t most_trees(const Request& request) {
  if (unsupported(request)) return 1;
  const std::int64_t trees = count_trees(request);
  return std::clamp<std::int64_t>(trees, 1, packets_of(*as<HyperX>(request.machine), request.count));
}

/// Fewer than there are: for short vectors, since they are not as deep.
std::vector<std::int64_t> fewer_trees(const Request& request) {
  std::vector<std::int64_t> fewer(at(most_trees(request) - 1));
  std::iota(fewer.begin(), fewer.end(), 1);
  return fewer;
}

ParameterSpec trees_parameter() {
  return {.name = "trees",
          .summary = "link-disjoint trees, each with a part of the vector; default: as many as exist",
          .by_default = most_trees,
          .least = [](const Request&) { return std::int64_t{1}; },
          .most = most_trees,
          .worth_trying = fewer_trees};
}

Schedule make(const Request& request, const Parameters& parameters) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const std::vector<EmbeddingPlan> plans = plan_trees(request, parameters.at("trees"));
  const auto pieces = static_cast<std::int64_t>(plans.size());
  ScheduleBuilder b({.nodes = node_count(hyperx), .count = request.count});
  for (std::int64_t i = 0; i < pieces; ++i) {
    const std::int64_t words = words_of_piece(hyperx, request.count, {.pieces = pieces, .number = i});
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

Ticks cost(const Request& request, const Parameters& parameters) {
  return time_on_trees(*as<HyperX>(request.machine), depths_of(plan_trees(request, parameters.at("trees"))),
                       request.count);
}

}  // namespace

Algorithm allreduce_in_network_trees() {
  return {.collective = Collective::allreduce,
          .name = "in-network-trees",
          .family = "hyperx",
          .summary = "splits one vector per node over several link-disjoint trees of switches",
          .source = "Accelerating Allreduce with in-network reduction on Intel PIUMA, \"Discussion\"",
          .parameters = {trees_parameter()},
          .unsupported = unsupported,
          .make = make,
          .cost = cost,
          .cost_tolerance = {}};
}

}  // namespace muster
