// Depth and queue by the longest paths through the steps; hops and port loads by counting.
#include "plan/load.h"

#include <algorithm>
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

std::int64_t hops_of(const Schedule& schedule, const Machine& machine, const Stream& stream) {
  if (stream.route != kDefaultRoute) {
    return static_cast<std::int64_t>(schedule.routes[at(stream.route)].size());
  }
  const auto sinks = schedule.sinks_of(stream);
  std::int64_t hops = 0;
  for (const NodeId sink : sinks) hops += default_hops(machine, stream.source, sink);
  if (sinks.size() == 1) return hops;
  // The routes to several sinks share links. What goes far reaches nearly all nodes, and following it would take long.
  constexpr std::int64_t kMostFollowed = 4096;
  if (hops > kMostFollowed) return std::min<std::int64_t>(hops, node_count(machine) - 1);
  return links_of_tree(machine, stream.source, sinks);
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

Load load_of_steps(const Schedule& schedule, const Machine& machine) {
  Load load;
  const Longest longest = longest_paths(schedule);
  load.depth = longest.messages;
  load.queue = longest.words;
  load.port = ports_of(schedule).busiest();
  for (const Stream& stream : schedule.streams) {
    const std::int64_t words = schedule.spans.count(stream.elements);
    const std::int64_t hops = hops_of(schedule, machine, stream);
    load.hops = saturating_sum(load.hops, saturating_product(hops, words));
    load.transits += hops + 1;
  }
  return load;
}

/// The first group of a phase, alone and written out.
Schedule first_group(const Schedule& schedule, const Phase& phase) {
  Schedule alone;
  alone.node_count = schedule.node_count;
  alone.extent = schedule.extent;
  alone.spans = schedule.spans;
  alone.parts = {schedule.parts[at(phase.part)]};
  alone.group_sets = {{groups_of(schedule, phase).front()}};
  alone.phases = {phase};
  alone.phases.front().part = alone.phases.front().groups = 0;
  alone.phases.front().after.clear();
  return expand(alone);
}

}  // namespace

Load load_of(const Schedule& schedule, const Machine& machine) {
  if (schedule.is_flat()) return load_of_steps(schedule, machine);
  Load load;
  Ports ports(schedule.node_count);
  for (const Phase& phase : schedule.phases) {
    const Load once = load_of_steps(first_group(schedule, phase), machine);
    const Ports part = ports_of(schedule.parts[at(phase.part)]);
    const auto& groups = groups_of(schedule, phase);
    load.depth += once.depth;
    load.queue = saturating_sum(load.queue, once.queue);
    load.hops = saturating_sum(load.hops, saturating_product(once.hops, std::ssize(groups)));
    load.transits += once.transits * std::ssize(groups);
    for (const Group& group : groups) {
      for (std::size_t i = 0; i < group.members.size(); ++i) {
        ports.in[at(group.members[i])] += part.in[i];
        ports.out[at(group.members[i])] += part.out[i];
      }
    }
  }
  load.port = ports.busiest();
  return load;
}

}  // namespace muster
