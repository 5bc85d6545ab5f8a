// Switches: the time of memories and links of a HyperX, for any schedule.
//
// Memory: if a core needs a result of S bytes to which it contributes S bytes itself (allreduce, reduce, barrier, a scan of
// several), its memory reads and writes 2 S bytes; in a broadcast, S.
//
// Distance: a core whose vector counts reads all of it, S bytes; the word that it reads last still has to travel to the
// farthest core that needs a result, and to be written there. Distances are the shortest over all working links. If every core needs a
// result that depends on all, any two cores give a bound: we take the farthest from one, and what is farthest from that. In a scan,
// all depend on the first.
//
// Center: where every element is combined at one switch before it goes back to all, it travels to that switch from the core that
// is farthest from it, and back. The switch nearest to all has the least such distance, the radius. A switch is at least as far
// from all as from a few, so the radius is at least the least of all switches' largest distances to these; the few are chosen as
// those that are far from the switches that look best so far.
//
// Links: where every node has one vector, each of its words is combined from N nodes along at least N - 1 links, and goes back
// along as many. All links together carry |E| words at a time in each direction, those of all groups.
//
// Groups: all have to end, so the latest one bounds the whole.
//
// One picosecond is taken off for rounding.
#include <algorithm>

#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "collective/switches/distances.h"
#include "collective/switches/groups.h"
#include "machine/hyperx.h"
#include "result/time_base.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

double bytes_of(const Request& request) { return static_cast<double>(request.count) * sizeof(Word); }

Ticks at_least(double seconds) { return picoseconds(seconds) - Ticks(seconds > 0 ? 1 : 0); }

struct Farthest {
  Ticks distance;
  NodeId core = 0;
};

/// Of a group's cores, from one of them.
Farthest farthest(const HyperX& hyperx, const std::vector<std::int32_t>& nodes, NodeId from) {
  const std::vector<Ticks> distance = distances_from(hyperx, from);
  const std::int32_t per_node = switches_per_node(hyperx);
  Farthest found{.distance = Ticks(0), .core = from};
  for (const std::int32_t node : nodes) {
    for (NodeId core = node * per_node; core < (node + 1) * per_node; ++core) {
      const Ticks here = distance[static_cast<std::size_t>(core)];
      if (here > found.distance) found = {here, core};
    }
  }
  return found;
}

/// A lower bound of the radius; the radius itself, if it is found in so many searches.
Ticks least_radius(const HyperX& hyperx, const std::vector<std::int32_t>& nodes, int searches) {
  const std::int32_t per_node = switches_per_node(hyperx);
  std::vector<Ticks> at_least(static_cast<std::size_t>(rank_count(hyperx)));
  NodeId next = farthest(hyperx, nodes, nodes.front() * per_node).core;
  Ticks radius;
  for (int i = 0; i < searches; ++i) {
    const std::vector<Ticks> distance = distances_from(hyperx, next);
    NodeId best = 0;
    for (std::size_t core = 0; core < distance.size(); ++core) {
      // A switch that cannot reach the others cannot be the center.
      at_least[core] = distance[core] == kNoWay ? Ticks(kMostCounted) : std::max(at_least[core], distance[core]);
      if (at_least[core] < at_least[static_cast<std::size_t>(best)]) best = static_cast<NodeId>(core);
    }
    radius = at_least[static_cast<std::size_t>(best)];
    const Farthest far = farthest(hyperx, nodes, best);
    if (far.distance == radius) break;
    next = far.core;
  }
  return radius;
}

using Groups = std::vector<std::vector<std::int32_t>>;

/// In no group does anybody else take part.
bool are_all_alone(const Request& request) {
  const Outcome<Groups> groups = groups_of(request);
  return groups &&
         std::all_of(groups.value().begin(), groups.value().end(), [&](const std::vector<std::int32_t>& group) {
           return is_alone(*as<HyperX>(request.machine), group);
         });
}

constexpr NodeId kMostVisited = 1 << 22;  ///< switches of all searches: more would take seconds

/// The groups in which ways are looked for: as many as time allows, those of the most nodes first.
Groups searched_groups(const HyperX& hyperx, Groups groups) {
  std::sort(groups.begin(), groups.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  const auto most = static_cast<std::size_t>(std::max(1, kMostVisited / rank_count(hyperx)));
  if (groups.size() > most) groups.resize(most);
  return groups;
}

/// Every core has a vector, and something is to be done with it.
bool is_known(const Request& request) {
  const Collective collective = request.collective;
  if (request.options.of<HyperXOptions>().vector_per_node || (collective == Collective::scan && are_all_alone(request)))
    return false;
  return collective == Collective::allreduce || collective == Collective::barrier || collective == Collective::reduce ||
         collective == Collective::broadcast || collective == Collective::scan;
}

/// Whether every core's result depends on every core's vector.
bool all_depend_on_all(Collective collective) {
  return collective == Collective::allreduce || collective == Collective::barrier;
}

/// The longest way that a group's last word has to go.
Ticks longest_latency(const Request& request, const std::vector<std::int32_t>& nodes) {
  const HyperX& hyperx = *as<HyperX>(request.machine);
  const NodeId start = has_root(request.collective) ? request.root : nodes.front() * switches_per_node(hyperx);
  const Farthest far = farthest(hyperx, nodes, start);
  return all_depend_on_all(request.collective) ? farthest(hyperx, nodes, far.core).distance : far.distance;
}

}  // namespace

std::optional<Bound> bound_switch_memory(const Request& request) {
  if (!is_known(request)) return std::nullopt;
  const double passes = request.collective == Collective::broadcast ? 1 : 2;
  const double seconds = passes * bytes_of(request) / as<HyperX>(request.machine)->memory_bandwidth.value();
  return Bound{.name = "memory",
               .proves = passes == 1 ? "any schedule: the root's memory must read the vector"
                                     : "any schedule: a core's memory must read its vector and write the result",
               .cycles = at_least(seconds)};
}

std::optional<Bound> bound_switch_distance(const Request& request) {
  if (!is_known(request)) return std::nullopt;
  const Outcome<Groups> groups = groups_of(request);
  if (!groups) return std::nullopt;
  const HyperX& hyperx = *as<HyperX>(request.machine);
  Ticks latency;
  for (const std::vector<std::int32_t>& nodes : searched_groups(hyperx, groups.value())) {
    latency = std::max(latency, longest_latency(request, nodes));
  }
  const double memory = (bytes_of(request) + sizeof(Word)) / hyperx.memory_bandwidth.value();
  return Bound{
      .name = "distance",
      .proves = "any schedule: a core reads its vector, and the last word takes the shortest path to the farthest core",
      .cycles = at_least(memory) + latency};
}

std::optional<Bound> bound_switch_center(const Request& request) {
  if (!is_known(request) || !all_depend_on_all(request.collective)) return std::nullopt;
  const Outcome<Groups> groups = groups_of(request);
  if (!groups) return std::nullopt;
  const HyperX& hyperx = *as<HyperX>(request.machine);
  constexpr NodeId kMostCores = 1 << 18;  // above, the searches would take seconds
  if (rank_count(hyperx) > kMostCores) return std::nullopt;
  const Groups searched = searched_groups(hyperx, groups.value());
  const int searches = std::clamp(kMostVisited / rank_count(hyperx) / static_cast<int>(searched.size()), 1, 64);
  Ticks radius;
  for (const std::vector<std::int32_t>& nodes : searched) {
    radius = std::max(radius, least_radius(hyperx, nodes, searches));
  }
  const double memory = 2 * sizeof(Word) / hyperx.memory_bandwidth.value();
  return Bound{
      .name = "center",
      .proves = "any schedule that combines each element at one switch: from the farthest core to that switch and back",
      .cycles = at_least(memory) + radius * 2};
}

std::optional<Bound> bound_switch_links(const Request& request) {
  if (!request.options.of<HyperXOptions>().vector_per_node || request.collective != Collective::allreduce)
    return std::nullopt;
  const Outcome<Groups> groups = groups_of(request);
  if (!groups) return std::nullopt;
  const HyperX& hyperx = *as<HyperX>(request.machine);
  double ports = 0;  // of a node
  for (const std::int32_t size : hyperx.shape) ports += size - 1;
  const double links = ports * hyperx_nodes(hyperx) / 2;  // failed links included: still a bound
  double others = 0;                                      // nodes, without the first of each group
  for (const std::vector<std::int32_t>& nodes : groups.value()) others += static_cast<double>(nodes.size() - 1);
  if (others == 0) return std::nullopt;
  return Bound{.name = "links",
               .proves = "any schedule: each word of the vector must cross a node link per other node, up and down",
               .cycles = at_least(others * bytes_of(request) / (links * hyperx.link_bandwidth.value()))};
}

}  // namespace muster
