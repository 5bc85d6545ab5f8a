#include "backend/torus/groups.h"

#include <algorithm>
#include <set>

#include "base/index.h"

namespace muster::torus {

GroupId Groups::of(NodeId node, const Key& key) {
  Node& there = nodes_[at(node)];
  const auto [found, is_new] = there.by_key.emplace(key, static_cast<GroupId>(there.groups.size()));
  if (is_new) there.groups.push_back({.key = key});
  return found->second;
}

std::int32_t Groups::shared_by(const std::vector<NodeId>& nodes, Key key) {
  const auto next = static_cast<std::int32_t>(shared_.size());
  const auto [found, is_new] = shared_by_key_.emplace(std::pair(key, nodes), next);
  if (is_new) {
    key.shared = next;
    shared_.push_back({.key = key, .nodes = nodes});
  }
  return found->second;
}

void Groups::note_awaits(NodeId node, const CoreWriter& writer) {
  auto& groups = nodes_[at(node)].groups;
  for (GroupId group = 0; group < std::ssize(groups); ++group) groups[at(group)].is_awaited = writer.awaited(group) > 0;
}

void Groups::assign_shared() {
  std::vector<std::set<std::int32_t>> used(nodes_.size());
  for (Shared& shared : shared_) {
    const auto is_used = [&](std::int32_t counter) {
      return std::any_of(shared.nodes.begin(), shared.nodes.end(),
                         [&](NodeId node) { return used[at(node)].count(counter) > 0; });
    };
    shared.counter = 0;
    while (is_used(shared.counter)) ++shared.counter;
    for (const NodeId node : shared.nodes) {
      used[at(node)].insert(shared.counter);
      nodes_[at(node)].groups[at(of(node, shared.key))].counter = shared.counter;
      nodes_[at(node)].counters = std::max(nodes_[at(node)].counters, shared.counter + 1);
    }
  }
}

void Groups::assign_others(Node& node) const {
  std::int32_t for_all = -1;
  for (Group& group : node.groups) {
    if (group.counter >= 0) continue;
    if (group.is_awaited) {
      group.counter = node.counters++;
    } else {
      if (for_all < 0) for_all = node.counters++;
      group.counter = for_all;
    }
  }
}

void Groups::assign() {
  assign_shared();
  for (Node& node : nodes_) assign_others(node);
}

void Groups::number_counters(NodeId node, Call& call) const {
  if (auto* const await = std::get_if<Await>(&call)) {
    await->counter = nodes_[at(node)].groups[at(await->counter)].counter;
  } else if (auto* const increment = std::get_if<Increment>(&call)) {
    increment->counter = nodes_[at(increment->at)].groups[at(increment->counter)].counter;
  } else if (auto* const set = std::get_if<SetEverywhere>(&call)) {
    set->counter = shared_[at(set->counter)].counter;
  }
}

std::vector<Await> Groups::unawaited(NodeId node, const CoreWriter& writer) const {
  std::map<std::int32_t, std::int64_t> missing;  // by counter
  const auto& groups = nodes_[at(node)].groups;
  for (GroupId group = 0; group < std::ssize(groups); ++group) {
    if (writer.awaited(group) < groups[at(group)].count) missing[groups[at(group)].counter] += groups[at(group)].count;
  }
  std::vector<Await> waits;
  for (const auto& [counter, value] : missing) waits.push_back({.counter = counter, .value = value});
  return waits;
}

}  // namespace muster::torus
