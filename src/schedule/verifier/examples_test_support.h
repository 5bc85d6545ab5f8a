// Schedules that the IR must be able to say, for tests: trees on a row, floods, switch trees, a stencil. And small
// machines to put them on. Rings and pairwise exchanges are in exchanges_test_support.h, phases in
// phases_test_support.h.
#pragma once

#include <numeric>
#include <vector>

#include "machine/cluster.h"
#include "machine/hyperx.h"
#include "machine/machine.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "schedule/builder.h"

namespace muster::examples {

inline std::vector<NodeId> first_nodes(NodeId count) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

// Machines.

inline Machine mesh(std::int32_t width, std::int32_t height, std::int32_t buffer = 2) {
  Mesh mesh;
  mesh.width = mesh.max_width = width;
  mesh.height = mesh.max_height = height;
  mesh.router_buffer = buffer;
  return {.name = "mesh", .summary = "a wafer", .network = mesh};
}

/// One socket of columns x rows cores, each with a reducing switch.
inline Machine hyperx(std::int32_t columns, std::int32_t rows) {
  HyperX hyperx;
  hyperx.sockets = 1;
  hyperx.core_columns = columns;
  hyperx.core_rows = rows;
  hyperx.buffer_packets = 2;
  hyperx.packet = Bytes(16);
  return {.name = "hyperx", .summary = "reducing switches", .network = hyperx};
}

inline Machine cluster(const std::vector<std::int32_t>& sizes) {
  Cluster cluster;
  for (const std::int32_t size : sizes) {
    Cluster::Dimension dimension;
    dimension.kind = Cluster::Kind::ring;
    dimension.size = size;
    dimension.links = 1;
    cluster.dimensions.push_back(dimension);
  }
  cluster.buffer_chunks = 1;
  return {.name = "cluster", .summary = "several dimensions", .network = cluster};
}

// Reduction trees. children[v] are taken in order; all but the last are accumulated, the last is fused with the push.

using Tree = std::vector<std::vector<NodeId>>;

inline Tree tree_from_parents(const std::vector<NodeId>& parents) {
  Tree children(parents.size());
  for (std::size_t v = 0; v < parents.size(); ++v) {
    if (parents[v] >= 0) children[static_cast<std::size_t>(parents[v])].push_back(static_cast<NodeId>(v));
  }
  return children;
}

inline Tree chain_tree(NodeId nodes) {
  std::vector<NodeId> parents = first_nodes(nodes);
  for (NodeId& parent : parents) --parent;
  return tree_from_parents(parents);
}

inline Tree star_tree(NodeId nodes) {
  std::vector<NodeId> parents(static_cast<std::size_t>(nodes), 0);
  parents[0] = -1;
  return tree_from_parents(parents);
}

/// In round r, node v with v mod 2^(r+1) = 2^r sends to v - 2^r.
inline Tree binomial_tree(NodeId nodes) {
  std::vector<NodeId> parents = first_nodes(nodes);
  for (NodeId& v : parents) v = v == 0 ? -1 : v & (v - 1);
  return tree_from_parents(parents);
}

/// Chains inside groups, a chain over their first nodes.
inline Tree two_phase_tree(NodeId nodes, NodeId group) {
  std::vector<NodeId> parents = first_nodes(nodes);
  for (NodeId& v : parents) v = v % group == 0 ? v - group : v - 1;
  parents[0] = -1;
  return tree_from_parents(parents);
}

/// Both sides of a row, each a chain towards a root in the middle.
inline Tree middle_root_tree(NodeId nodes, NodeId root) {
  std::vector<NodeId> parents = first_nodes(nodes);
  for (NodeId& v : parents) v = v == root ? -1 : v < root ? v + 1 : v - 1;
  return tree_from_parents(parents);
}

inline Schedule reduce_by_tree(const Tree& children, NodeId root, std::int64_t count) {
  const auto nodes = static_cast<NodeId>(children.size());
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<StreamId> up(children.size());
  for (NodeId v = 0; v < nodes; ++v) {
    for (const NodeId child : children[static_cast<std::size_t>(v)]) {
      up[static_cast<std::size_t>(child)] = b.stream(child, v, all);
    }
  }
  for (NodeId v = 0; v < nodes; ++v) {
    Buffer own = Buffer::input;
    const auto& mine = children[static_cast<std::size_t>(v)];
    for (std::size_t i = 0; i + 1 < mine.size(); ++i) {
      b.step(v, all).own(own).take(up[static_cast<std::size_t>(mine[i])]).store(Buffer::output);
      own = Buffer::output;
    }
    auto last = b.step(v, all).own(own);
    if (!mine.empty()) last.take(up[static_cast<std::size_t>(mine.back())]);
    if (v == root) last.store(Buffer::output);
    if (v != root) last.push(up[static_cast<std::size_t>(v)]);
  }
  b.contract({.collective = Collective::reduce, .ranks = first_nodes(nodes), .root = root, .count = count});
  return std::move(b).finish();
}

/// One multicast stream to all other nodes.
inline Schedule flood(NodeId nodes, NodeId root, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<NodeId> sinks = first_nodes(nodes);
  sinks.erase(sinks.begin() + root);
  const StreamId s = b.multicast(root, sinks, all);
  b.step(root, all).own(Buffer::input).store(Buffer::output).push(s);
  for (const NodeId sink : sinks) b.step(sink, all).take(s).store(Buffer::output);
  b.contract({.collective = Collective::broadcast, .ranks = first_nodes(nodes), .root = root, .count = count});
  return std::move(b).finish();
}

// Switch trees. Core v's switch is node cores + v; the switches form a tree, each takes its core and its children at
// once.

inline Schedule switch_reduce(const Tree& children, std::int64_t count) {
  const auto cores = static_cast<NodeId>(children.size());
  ScheduleBuilder b({.nodes = 2 * cores, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<StreamId> up(children.size());
  std::vector<StreamId> in(children.size());
  for (NodeId v = 0; v < cores; ++v) {
    in[static_cast<std::size_t>(v)] = b.stream(v, cores + v, all);
    for (const NodeId child : children[static_cast<std::size_t>(v)]) {
      up[static_cast<std::size_t>(child)] = b.stream(cores + child, cores + v, all);
    }
  }
  up[0] = b.stream(cores, 0, all);
  for (NodeId v = 0; v < cores; ++v) {
    b.step(v, all, 0).own(Buffer::input).push(in[static_cast<std::size_t>(v)]);
    auto combine = b.step(cores + v, all);
    combine.take(in[static_cast<std::size_t>(v)]);
    for (const NodeId child : children[static_cast<std::size_t>(v)]) combine.take(up[static_cast<std::size_t>(child)]);
    combine.push(up[static_cast<std::size_t>(v)]);
  }
  b.step(0, all, 1).take(up[0]).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = first_nodes(cores), .root = 0, .count = count});
  return std::move(b).finish();
}

/// The same tree backwards: every switch passes the root's vector to its core and to its children.
inline Schedule switch_broadcast(const Tree& children, std::int64_t count) {
  const auto cores = static_cast<NodeId>(children.size());
  ScheduleBuilder b({.nodes = 2 * cores, .count = count});
  const SpanId all = b.span({0, count});
  std::vector<StreamId> into(children.size());
  const StreamId first = into[0] = b.stream(0, cores, all);
  b.step(0, all, 0).own(Buffer::input).push(first);
  for (NodeId v = 0; v < cores; ++v) {
    const StreamId out = b.stream(cores + v, v, all);
    auto& mine = children[static_cast<std::size_t>(v)];
    for (const NodeId child : mine) into[static_cast<std::size_t>(child)] = b.stream(cores + v, cores + child, all);
    auto pass = b.step(cores + v, all).take(into[static_cast<std::size_t>(v)]).push(out);
    for (const NodeId child : mine) pass.push(into[static_cast<std::size_t>(child)]);
    b.step(v, all, 1).take(out).store(Buffer::output);
  }
  b.contract({.collective = Collective::broadcast, .ranks = first_nodes(cores), .root = 0, .count = count});
  return std::move(b).finish();
}

/// Every node of a grid multicasts its block to up to four neighbours to the east, in five turns; who receives from the
/// neighbour at distance d stores it at slot d - 1.
inline Schedule stencil(std::int32_t width, std::int32_t height, std::int64_t count) {
  constexpr std::int32_t kReach = 4;
  ScheduleBuilder b({.nodes = width * height, .count = count, .output = kReach * count});
  const SpanId all = b.span({0, count});
  for (std::int32_t y = 0; y < height; ++y) {
    for (std::int32_t turn = 0; turn <= kReach; ++turn) {
      for (std::int32_t x = turn; x + 1 < width; x += kReach + 1) {
        std::vector<NodeId> sinks;
        for (std::int32_t d = 1; d <= kReach && x + d < width; ++d) sinks.push_back(y * width + x + d);
        const StreamId s = b.multicast(y * width + x, sinks, all);
        b.step(y * width + x, all).own(Buffer::input).push(s);
        for (std::int32_t d = 1; d <= kReach && x + d < width; ++d) {
          b.step(y * width + x + d, all).take(s).store(Buffer::output, b.span({(d - 1) * count, count}));
        }
      }
    }
  }
  b.contract({.collective = Collective::neighbours,
              .ranks = first_nodes(width * height),
              .count = count,
              .neighbours = {{-1, 0}, {-2, 0}, {-3, 0}, {-4, 0}},
              .columns = width});
  return std::move(b).finish();
}

}  // namespace muster::examples
