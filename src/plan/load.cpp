// Depth and queue by the longest paths through the steps; hops and port loads by counting.
#include "plan/load.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/index.h"
#include "base/saturating.h"
#include "machine/routing.h"
#include "plan/step_events.h"
#include "schedule/phase.h"

namespace muster {

namespace {

/// How many hops the default routes from `source` to all of `sinks` have together, shared ones counted once.
std::int64_t links_of_tree(const Machine& machine, NodeId source, std::span<const NodeId> sinks) {
  std::vector<Hop> tree;
  for (const NodeId sink : sinks) {
    const std::vector<NodeId> route = default_route(machine, source, sink);
    for (std::size_t i = 1; i < route.size(); ++i) tree.push_back({.from = route[i - 1], .to = route[i]});
  }
  std::sort(tree.begin(), tree.end());
  tree.erase(std::unique(tree.begin(), tree.end()), tree.end());
  std::int64_t hops = 0;
  for (const Hop& hop : tree) hops += default_hops(machine, hop.from, hop.to);
  return hops;
}

/// Where the nodes of a schedule are: those of a part, where its group is.
class Places {
 public:
  Places() = default;
  explicit Places(std::span<const NodeId> members) : members_(members) {}
  [[nodiscard]] NodeId of(NodeId node) const { return members_.empty() ? node : members_[at(node)]; }

 private:
  std::span<const NodeId> members_;
};

std::int64_t hops_of(const Schedule& schedule, const Machine& machine, const Stream& stream, const Places& places) {
  if (stream.route != kDefaultRoute) {
    return static_cast<std::int64_t>(schedule.routes[at(stream.route)].size());
  }
  const auto sinks = schedule.sinks_of(stream);
  const NodeId source = places.of(stream.source);
  std::int64_t hops = 0;
  for (const NodeId sink : sinks) hops += default_hops(machine, source, places.of(sink));
  if (sinks.size() == 1) return hops;
  // The routes to several sinks share links. What goes far reaches nearly all nodes, and following it would take long.
  constexpr std::int64_t kMostFollowed = 4096;
  if (hops > kMostFollowed) return std::min<std::int64_t>(hops, schedule.node_count - 1);
  std::vector<NodeId> placed;
  for (const NodeId sink : sinks) placed.push_back(places.of(sink));
  return links_of_tree(machine, source, placed);
}

/// Words into and out of every node.
struct Ports {
  explicit Ports(NodeId nodes) : in(at(nodes), 0), out(at(nodes), 0) {}
  std::vector<std::int64_t> in;
  std::vector<std::int64_t> out;
  [[nodiscard]] std::int64_t busiest() const {
    std::int64_t most = 0;
    for (const std::int64_t words : in) most = std::max(most, words);
    for (const std::int64_t words : out) most = std::max(most, words);
    return most;
  }
};

Ports ports_of(const Schedule& schedule) {
  const auto add = [](std::vector<std::int64_t>& load, NodeId node, std::int64_t words) {
    load[at(node)] = saturating_sum(load[at(node)], words);
  };
  Ports ports(schedule.node_count);
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    add(ports.out, stream.source, words);
    for (const NodeId sink : schedule.sinks_of(stream)) add(ports.in, sink, words);
  }
  return ports;
}

struct Longest {
  std::int64_t messages = 0;
  std::int64_t words = 0;
};

/// The most messages and the most words on any path.
Longest longest_paths(const Schedule& schedule) {
  Longest longest;
  std::vector<Longest> reached(2 * schedule.steps.size());
  visit_in_order(reached.size(), dependences_of(schedule), [&](const Dependence& dependence) {
    const Longest here = reached[at(dependence.from)];
    Longest& there = reached[at(dependence.to)];
    there.messages = std::max(there.messages, here.messages + (dependence.stream == kNoStream ? 0 : 1));
    there.words = std::max(there.words, saturating_sum(here.words, dependence.words));
    longest = {std::max(longest.messages, there.messages), std::max(longest.words, there.words)};
  });
  return longest;
}

/// Hops and transits of all streams.
Load load_of_streams(const Schedule& schedule, const Machine& machine, const Places& places) {
  Load load;
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    const std::int64_t hops = hops_of(schedule, machine, stream, places);
    load.hops = saturating_sum(load.hops, saturating_product(hops, words));
    load.transits += hops + 1;
  }
  return load;
}

Load load_of_steps(const Schedule& schedule, const Machine& machine) {
  const Longest longest = longest_paths(schedule);
  Load load = load_of_streams(schedule, machine, {});
  load.depth = longest.messages;
  load.queue = longest.words;
  load.port = ports_of(schedule).busiest();
  return load;
}

}  // namespace

Load load_of(const Schedule& schedule, const Machine& machine) {
  if (schedule.is_flat()) return load_of_steps(schedule, machine);
  Load load{.of_phases = true};
  Ports ports(schedule.node_count);
  std::vector<std::optional<Ports>> of_parts(schedule.parts.size());
  for (const Phase& phase : schedule.phases) {
    const Schedule& part = schedule.parts[at(phase.part)];
    std::optional<Ports>& inside = of_parts[at(phase.part)];
    if (!inside) inside = ports_of(part);
    const auto& groups = groups_of(schedule, phase);
    const Load once = load_of_streams(part, machine, Places(groups.front().members));
    load.hops = saturating_sum(load.hops, saturating_product(once.hops, std::ssize(groups)));
    load.transits += once.transits * std::ssize(groups);
    for (const Group& group : groups) {
      for (std::size_t i = 0; i < group.members.size(); ++i) {
        ports.in[at(group.members[i])] += inside->in[i];
        ports.out[at(group.members[i])] += inside->out[i];
      }
    }
  }
  load.port = ports.busiest();
  return load;
}

}  // namespace muster
