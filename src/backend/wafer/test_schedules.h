// Machines and schedules for the tests of the wafer backend: a backend may not know the algorithms, so these are small
// ones of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/wafer/program.h"
#include "machine/mesh.h"
#include "schedule/builder.h"

namespace muster::wafer::test {

inline Machine wafer(std::int32_t width, std::int32_t height = 1) {
  Mesh mesh;
  mesh.width = mesh.max_width = mesh.fabric_width = width;
  mesh.height = mesh.max_height = mesh.fabric_height = height;
  mesh.clock = Hertz(850e6);
  mesh.wavelet = Bytes(4);
  mesh.hop_latency = Cycles(1);
  mesh.ramp_latency = Cycles(2);
  mesh.router_buffer = 2;
  mesh.ramp_queue = 2;
  mesh.colors = 24;
  mesh.reserved_colors = {21, 22, 23};
  for (std::int32_t c = 0; c < 24; ++c) mesh.switch_colors.push_back(c);
  mesh.switch_positions = 4;
  mesh.input_queues = 8;
  mesh.output_queues = 8;
  mesh.reserved_queues = {0, 1};
  mesh.memory = Bytes(48 * 1024);
  mesh.architecture = "test";
  return {.name = "test", .summary = "", .network = mesh};
}

inline Mesh& mesh_of(Machine& machine) { return *as<Mesh>(machine); }

/// Parents by index, in pre-order: index 0 is the root.
using Tree = std::vector<std::int32_t>;

inline Tree chain_tree(std::int32_t size) {
  Tree tree;
  for (std::int32_t x = 0; x < size; ++x) tree.push_back(x - 1);
  return tree;
}

inline Tree star_tree(std::int32_t size) { return Tree(static_cast<std::size_t>(size), 0); }

/// In round k, every PE at distance 2^k in a pair sends to the nearer one.
inline Tree binary_tree(std::int32_t size) {
  Tree tree;
  for (std::int32_t x = 0; x < size; ++x) tree.push_back(x & (x - 1));
  return tree;
}

/// Chains inside groups, and a chain of the groups' first PEs.
inline Tree two_phase_tree(std::int32_t size, std::int32_t group) {
  Tree tree;
  for (std::int32_t x = 0; x < size; ++x) tree.push_back(x % group == 0 ? x - group : x - 1);
  return tree;
}

/// A side of the root: index x of the tree is node root + x * stride.
struct Side {
  Tree tree;
  NodeId stride = 1;
};

class TreeWriter {
 public:
  TreeWriter(ScheduleBuilder& builder, NodeId root, const Side& side, SpanId all)
      : b_(builder), root_(root), side_(side), all_(all), children_(side.tree.size()) {
    for (std::int32_t x = 1; x < size(); ++x) {
      up_.push_back(b_.stream(node(x), node(parent(x)), all));
      children_[static_cast<std::size_t>(parent(x))].push_back(x);
    }
  }
  void write(Buffer& root_own) {
    for (std::int32_t x = 1; x < size(); ++x) {
      const auto& children = children_[static_cast<std::size_t>(x)];
      if (children.empty()) b_.step(node(x), all_).own(Buffer::input).push(up(x));
      Buffer own = Buffer::input;
      for (const std::int32_t child : children) {
        auto step = b_.step(node(x), all_).own(own).take(up(child));
        if (child == children.back()) {
          step.push(up(x));
        } else {
          step.store(Buffer::output);
          own = Buffer::output;
        }
      }
    }
    for (const std::int32_t child : children_[0]) {
      b_.step(root_, all_).own(root_own).take(up(child)).store(Buffer::output);
      root_own = Buffer::output;
    }
  }

 private:
  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(side_.tree.size()); }
  [[nodiscard]] std::int32_t parent(std::int32_t x) const { return side_.tree[static_cast<std::size_t>(x)]; }
  [[nodiscard]] NodeId node(std::int32_t x) const { return root_ + x * side_.stride; }
  [[nodiscard]] StreamId up(std::int32_t x) const { return up_[static_cast<std::size_t>(x) - 1]; }
  ScheduleBuilder& b_;
  NodeId root_;
  const Side& side_;
  SpanId all_;
  std::vector<std::vector<std::int32_t>> children_;
  std::vector<StreamId> up_;
};

inline std::vector<NodeId> all_ranks(NodeId nodes) {
  std::vector<NodeId> ranks;
  for (NodeId n = 0; n < nodes; ++n) ranks.push_back(n);
  return ranks;
}

/// Every side reduces along its tree towards `root`, one side after the other.
inline Schedule reduce(NodeId nodes, NodeId root, std::int64_t count, const std::vector<Side>& sides) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  Buffer own = Buffer::input;
  for (const Side& side : sides) TreeWriter(b, root, side, all).write(own);
  if (own == Buffer::input) b.step(root, all).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = all_ranks(nodes), .root = root, .count = count});
  return std::move(b).finish();
}

inline Schedule reduce_row(const Tree& tree, std::int64_t count) {
  return reduce(static_cast<NodeId>(tree.size()), 0, count, {{.tree = tree, .stride = 1}});
}

/// One multicast stream from the root to all.
inline Schedule flood(NodeId nodes, NodeId root, std::int64_t count) {
  const Buffer to = nodes == 1 ? Buffer::output : Buffer::input;  // in place, as a broadcast is
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<NodeId> sinks;
  for (NodeId n = 0; n < nodes; ++n) {
    if (n != root) sinks.push_back(n);
  }
  if (sinks.empty()) {
    b.step(root, all).own(Buffer::input).store(Buffer::output);
  } else {
    const StreamId s = b.multicast(root, sinks, all);
    b.step(root, all).own(Buffer::input).push(s);
    for (const NodeId n : sinks) b.step(n, all).take(s).store(to);
  }
  b.contract({.collective = Collective::broadcast, .ranks = all_ranks(nodes), .root = root, .count = count, .to = to});
  return std::move(b).finish();
}

/// Wavelets times hops of a reduction tree on a line.
inline std::int64_t energy(const Tree& tree, std::int64_t count) {
  std::int64_t hops = 0;
  for (std::size_t x = 1; x < tree.size(); ++x) hops += static_cast<std::int64_t>(x) - tree[x];
  return hops * count;
}

}  // namespace muster::wafer::test
