#include "collective/switches/groups.h"

#include <algorithm>

#include "base/counted.h"
#include "base/index.h"
#include "base/time_unit.h"
#include "machine/hyperx.h"
#include "machine/routing.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr std::int32_t kNoGroup = -1;

/// Why the groups make no sense; empty if they do.
std::string fault_of(const HyperX& hyperx, const std::vector<std::vector<std::int32_t>>& groups) {
  const std::int32_t nodes = hyperx_nodes(hyperx);
  std::vector<std::int32_t> group_of(at(nodes), kNoGroup);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) return fmt::format("has no nodes in group {}", g);
    for (const std::int32_t node : groups[g]) {
      if (node < 0 || node >= nodes)
        return fmt::format("has no node {} (in group {}), only 0 to {}", node, g, nodes - 1);
      if (has_failed(hyperx, node)) return fmt::format("cannot use node {} of group {}, which has failed", node, g);
      const std::int32_t other = group_of[at(node)];
      if (other == static_cast<std::int32_t>(g)) return fmt::format("has node {} twice in group {}", node, g);
      if (other != kNoGroup)
        return fmt::format(
            "has node {} in groups {} and {}, which would share its links, e.g. from core {} to its switch; name each "
            "node "
            "in one group only",
            node, other, g, node * switches_per_node(hyperx));
      group_of[at(node)] = static_cast<std::int32_t>(g);
    }
  }
  return "";
}

/// Where two embeddings meet; empty if they do not. Only nodes that take no part can be in two of them.
std::string overlap(const Machine& machine, const std::vector<EmbeddingPlan>& plans) {
  if (std::all_of(plans.begin(), plans.end(), [](const EmbeddingPlan& p) { return p.nodes.foreign.empty(); }))
    return "";
  const HyperX& hyperx = *as<HyperX>(machine);
  const NodeId ranks = rank_count(hyperx);
  struct Use {
    std::int32_t group = kNoGroup;
    NodeId next = kNoNode;  ///< the switch that it sends to
  };
  std::vector<Use> uses(at(ranks));
  std::string shared;  // a switch; a link is said instead, if there is one
  for (std::int32_t g = 0; g < std::ssize(plans); ++g) {
    const Embedding tree = embed(hyperx, plans[at(g)]);
    for (std::size_t i = 0; i < tree.switches.size(); ++i) {
      const NodeId here = tree.switches[i];
      const NodeId next = tree.parent[i] == kNoNode ? kNoNode : tree.switches[at(tree.parent[i])];
      Use& known = uses[at(here - ranks)];
      if (known.group == kNoGroup) {
        known = {g, next};
        continue;
      }
      const auto both =
          fmt::format("for groups {} and {}; embeddings on one collective id must not share it", known.group, g);
      if (next != kNoNode && next == known.next) {
        return fmt::format("would use the link from the {} to the {} {}", node_text(machine, here),
                           node_text(machine, next), both);
      }
      if (shared.empty()) shared = fmt::format("would use the {} {}", node_text(machine, here), both);
    }
  }
  return shared;
}

}  // namespace

Outcome<std::vector<std::vector<std::int32_t>>> groups_of(const Request& request) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  std::vector<std::vector<std::int32_t>> groups = request.options.of<HyperXOptions>().groups;
  if (groups.empty()) groups = {whole_nodes(hyperx)};
  if (std::string fault = fault_of(hyperx, groups); !fault.empty()) return Refusal{std::move(fault)};
  for (std::vector<std::int32_t>& group : groups) std::sort(group.begin(), group.end());
  if (!has_root(request.collective)) return groups;
  if (groups.size() > 1) return Refusal{fmt::format("has one root and {} groups; use one group", groups.size())};
  const std::int32_t node = coordinates_of(hyperx, request.root).node;
  if (!std::binary_search(groups.front().begin(), groups.front().end(), node)) {
    return Refusal{
        fmt::format("has its root, core {}, in node {}, which does not participate; use a root in the group, e.g. {}",
                    request.root, node, groups.front().front() * switches_per_node(hyperx))};
  }
  return groups;
}

std::optional<std::string> unfit_groups(const Request& request) {
  if (as<HyperX>(request.machine) == nullptr) return std::nullopt;
  const auto groups = groups_of(request);
  if (groups) return std::nullopt;
  return fmt::format("group: {} {}", collective_name(request.collective), groups.reason());
}

Outcome<std::vector<EmbeddingPlan>> plan_groups(const Request& request) {
  const Outcome<std::vector<std::vector<std::int32_t>>> groups = groups_of(request);
  if (!groups) return Refusal{groups.reason()};
  const HyperX& hyperx = *as<HyperX>(request.machine);
  std::optional<NodeId> root;
  if (has_root(request.collective)) root = rank_count(hyperx) + request.root;
  std::vector<EmbeddingPlan> plans;
  for (const std::vector<std::int32_t>& group : groups.value()) {
    Outcome<EmbeddingPlan> plan = plan_embedding(hyperx, group, root);
    if (!plan) return Refusal{plan.reason()};
    plans.push_back(std::move(plan).value());
  }
  if (std::string shared = overlap(request.machine, plans); !shared.empty()) return Refusal{std::move(shared)};
  return plans;
}

std::optional<std::string> too_many_cores(std::int64_t cores, std::int64_t most, const std::function<Ticks()>& cost) {
  if (cores <= most) return std::nullopt;
  return fmt::format("has schedules for up to {} cores, got {}; its formula predicts {}", grouped(most), grouped(cores),
                     time_text(to_seconds(cost(), kPicoseconds)));
}

std::optional<std::string> refuse_vectors_of_nodes(const Request& request) {
  if (!request.options.of<HyperXOptions>().vector_per_node) return std::nullopt;
  return request.collective == Collective::allreduce ? "needs a vector per core; use in-network-trees for one per node"
                                                     : "needs a vector per core; only allreduce supports one per node";
}

bool is_alone(const HyperX& hyperx, std::span<const std::int32_t> nodes) {
  return nodes.size() == 1 && switches_per_node(hyperx) == 1;
}

std::vector<NodeId> cores_of(const HyperX& hyperx, std::span<const std::int32_t> nodes) {
  const std::int32_t per_node = switches_per_node(hyperx);
  std::vector<NodeId> cores;
  cores.reserve(nodes.size() * at(per_node));
  for (const std::int32_t node : nodes) {
    for (std::int32_t core = 0; core < per_node; ++core) cores.push_back(node * per_node + core);
  }
  return cores;
}

}  // namespace muster
