// Block by block: the tree of its switches, then the steps along it.
#include "collective/switches/scan_schedule.h"

#include <algorithm>

#include "base/index.h"
#include "machine/hyperx.h"

namespace muster {
namespace {

constexpr StreamId kNoStream = -1;

/// The switches between a switch and some cores of its node, along default routes.
Embedding embed_in_node(const HyperX& hyperx, NodeId root, std::span<const NodeId> cores) {
  Embedding tree;
  const NodeId ranks = rank_count(hyperx);
  tree.switches.push_back(root);
  for (const NodeId core : cores) {
    for (NodeId at = core + ranks; at != root; at = next_switch(hyperx, at, root)) tree.switches.push_back(at);
  }
  std::sort(tree.switches.begin(), tree.switches.end());
  tree.switches.erase(std::unique(tree.switches.begin(), tree.switches.end()), tree.switches.end());
  const auto index_of = [&](NodeId at) {
    return static_cast<std::int32_t>(std::lower_bound(tree.switches.begin(), tree.switches.end(), at) -
                                     tree.switches.begin());
  };
  tree.root = index_of(root);
  const std::size_t count = tree.switches.size();
  for (const NodeId at : tree.switches) {
    tree.parent.push_back(at == root ? kNoNode : index_of(next_switch(hyperx, at, root)));
  }
  tree.first_child.assign(count + 1, 0);
  for (const std::int32_t parent : tree.parent) {
    if (parent != kNoNode) ++tree.first_child[at(parent) + 1];
  }
  for (std::size_t i = 0; i < count; ++i) tree.first_child[i + 1] += tree.first_child[i];
  tree.children.resize(count - 1);
  std::vector<std::int32_t> next(tree.first_child.begin(), tree.first_child.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (tree.parent[i] != kNoNode) tree.children[at(next[at(tree.parent[i])]++)] = static_cast<std::int32_t>(i);
  }
  return tree;
}

/// Writes the steps of one group.
class ScanWriter {
 public:
  ScanWriter(ScheduleBuilder& builder, const HyperX& hyperx, std::span<const NodeId> cores, SpanId elements)
      : b_(builder), hyperx_(hyperx), ranks_(rank_count(hyperx)), cores_(cores), elements_(elements) {}

  void write(const ScanBlock& block) {
    write(tree_of(hyperx_, cores_, block), cores_.subspan(at(block.first), at(block.end - block.first)));
  }

 private:
  void write(const Embedding& tree, std::span<const NodeId> takers) {
    find_users(tree, takers);
    down_.assign(tree.switches.size(), kNoStream);
    for (std::int32_t i = 0; i < std::ssize(tree.switches); ++i) add_stream(tree, i);
    for (std::int32_t i = 0; i < std::ssize(tree.switches); ++i) {
      if (i == tree.root) {
        write_giver(tree.switches[at(i)]);
      } else if (is_used_[at(i)]) {
        write_switch(tree, i);
      }
    }
  }

  /// Who takes, and which switches lead to someone who does.
  void find_users(const Embedding& tree, std::span<const NodeId> takers) {
    takes_.assign(tree.switches.size(), false);
    is_used_.assign(tree.switches.size(), false);
    for (std::int32_t i = 0; i < std::ssize(tree.switches); ++i) {
      if (!std::binary_search(takers.begin(), takers.end(), tree.switches[at(i)] - ranks_)) continue;
      takes_[at(i)] = true;
      for (std::int32_t up = i; up != kNoNode && !is_used_[at(up)]; up = tree.parent[at(up)]) is_used_[at(up)] = true;
    }
  }

  /// What a switch forwards: to children, and back to itself if it has a taker, too.
  void add_stream(const Embedding& tree, std::int32_t i) {
    sinks_.clear();
    for (const std::int32_t child : tree.children_of(i)) {
      if (is_used_[at(child)]) sinks_.push_back(tree.switches[at(child)]);
    }
    if (sinks_.empty()) return;
    const NodeId here = tree.switches[at(i)];
    if (takes_[at(i)]) sinks_.push_back(here);
    down_[at(i)] = b_.multicast(here, sinks_, elements_);
    root_stream_ = i == tree.root ? down_[at(i)] : root_stream_;
  }

  void write_giver(NodeId here) {
    const StreamId given = b_.stream(here - ranks_, here, elements_);
    b_.step(here - ranks_, elements_).own(Buffer::input).push(given);
    b_.step(here, elements_).take(given).push(root_stream_);
  }

  void write_switch(const Embedding& tree, std::int32_t i) {
    const NodeId here = tree.switches[at(i)];
    StreamId prefix = down_[at(tree.parent[at(i)])];
    if (down_[at(i)] != kNoStream) {
      b_.step(here, elements_).take(prefix).push(down_[at(i)]);
      prefix = down_[at(i)];
    }
    if (!takes_[at(i)]) return;
    const NodeId core = here - ranks_;
    const StreamId old = b_.stream(core, here, elements_);
    const StreamId combined = b_.stream(here, core, elements_);
    constexpr std::int32_t kBehindLoop = 1;  // a lane
    b_.step(here, elements_, down_[at(i)] == kNoStream ? 0 : kBehindLoop).take(prefix).take(old).push(combined);
    b_.step(core, elements_).take(combined).store(Buffer::input).send_old(Buffer::input, elements_).push(old);
  }

  ScheduleBuilder& b_;
  const HyperX& hyperx_;
  NodeId ranks_;
  std::span<const NodeId> cores_;
  SpanId elements_;
  // Of the tree at hand, by its switches:
  std::vector<bool> takes_;
  std::vector<bool> is_used_;
  std::vector<StreamId> down_;
  StreamId root_stream_ = kNoStream;
  std::vector<NodeId> sinks_;
};

}  // namespace

Embedding tree_of(const HyperX& hyperx, std::span<const NodeId> cores, const ScanBlock& block) {
  const std::span<const NodeId> takers = cores.subspan(at(block.first), at(block.end - block.first));
  const NodeId giver = cores[at(block.giver)];
  const NodeId root = giver + rank_count(hyperx);
  std::vector<std::int32_t> nodes{coordinates_of(hyperx, giver).node};
  for (const NodeId taker : takers) {
    const std::int32_t node = coordinates_of(hyperx, taker).node;
    if (node != nodes.back()) nodes.push_back(node);
  }
  if (nodes.size() == 1) return embed_in_node(hyperx, root, takers);
  return embed(hyperx, plan_embedding(hyperx, nodes, root).value());
}

void write_scan(ScheduleBuilder& builder, const HyperX& hyperx, std::span<const NodeId> cores, SpanId elements) {
  ScanWriter writer(builder, hyperx, cores, elements);
  const std::vector<ScanRound> rounds = scan_rounds(hyperx, cores);
  for (const ScanRound& round : rounds) {
    for (const ScanBlock& block : round) writer.write(block);
  }
}

}  // namespace muster
