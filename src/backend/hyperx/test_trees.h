// Registers for tests: random trees that reduce to a root and come back the same way, and random graphs without cycles.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "backend/hyperx/hyperx.h"
#include "backend/hyperx/test_machines.h"
#include "base/index.h"
#include "machine/hyperx.h"
#include "machine/routing.h"

namespace muster::hyperx {

/// A tree of switches: reduces what the memories of `gives` hold, and brings the result to the memories of `takes`.
struct TestTree {
  std::int16_t id = 0;
  NodeId root = 0;
  std::map<NodeId, NodeId> parent = {};  ///< of every switch but the root
  std::set<NodeId> gives = {};           ///< switches
  std::set<NodeId> takes = {};

  [[nodiscard]] std::vector<NodeId> switches() const {
    std::vector<NodeId> all{root};
    for (const auto& [child, above] : parent) all.push_back(child);
    return all;
  }
  /// By the port of `at` that leads to them.
  [[nodiscard]] std::map<Port, NodeId> children(NodeId at, const Ports& ports) const {
    std::map<Port, NodeId> found;
    for (const auto& [child, above] : parent) {
      if (above == at) found[ports.towards(at, child)] = child;
    }
    return found;
  }
};

/// A row that is being written.
struct TestRow {
  std::set<Port> inputs = {};
  std::set<Port> outputs = {};
};
using TestRows = std::map<std::tuple<NodeId, std::int16_t, Channel>, TestRow>;

inline void add_tree(const TestTree& tree, const Ports& ports, TestRows& rows) {
  for (const NodeId at : tree.switches()) {
    TestRow& up = rows[{at, tree.id, Channel::request}];
    TestRow& down = rows[{at, tree.id, Channel::response}];
    for (const auto& [port, child] : tree.children(at, ports)) {
      up.inputs.insert(port);
      down.outputs.insert(port);
    }
    if (tree.gives.contains(at)) up.inputs.insert(ports.memory());
    if (tree.takes.contains(at)) down.outputs.insert(ports.memory());
    const Port above = at == tree.root ? ports.loop() : ports.towards(at, tree.parent.at(at));
    up.outputs.insert(above);
    down.inputs.insert(above);
  }
}

inline Registers registers_of(const TestRows& rows, std::vector<Segment> segments) {
  Registers registers;
  registers.segments = std::move(segments);
  const auto add = [&](const std::set<Port>& ports) {
    const Slice slice{static_cast<std::int32_t>(registers.ports.size()), static_cast<std::int32_t>(ports.size())};
    registers.ports.insert(registers.ports.end(), ports.begin(), ports.end());
    return slice;
  };
  for (const auto& [key, row] : rows) {
    const auto& [node, id, channel] = key;
    registers.rows.push_back({node, id, channel, add(row.inputs), add(row.outputs)});
  }
  return registers;
}

/// All ranks hold the vector and are owed something of its length: what, the test says.
inline HyperXProgram program_of(const HyperX& network, Registers registers) {
  HyperXProgram program;
  program.machine = machine_of(network);
  program.registers = std::move(registers);
  Contract contract{.collective = Collective::allreduce};
  for (NodeId rank = 0; rank < rank_count(network); ++rank) contract.ranks.push_back(rank);
  for (const Segment& s : program.registers.segments) contract.count = std::max(contract.count, s.elements.end());
  program.contracts.push_back(std::move(contract));
  return program;
}

inline HyperXProgram program_of(const HyperX& network, const std::vector<TestTree>& trees,
                                std::vector<Segment> segments) {
  const Ports ports(network);
  TestRows rows;
  for (const TestTree& tree : trees) add_tree(tree, ports, rows);
  return program_of(network, registers_of(rows, std::move(segments)));
}

inline std::vector<NodeId> neighbours(const Ports& ports, NodeId at) {
  std::vector<NodeId> found;
  for (Port port = 0; ports.is_link(port); ++port) {
    if (const auto end = ports.end(at, port)) found.push_back(end->at);
  }
  return found;
}

/// All switches in a tree of nearest ways to one of them; all give and take.
inline TestTree whole_tree(const HyperX& network, NodeId root) {
  const Ports ports(network);
  TestTree tree{.root = root, .gives = {root}};
  std::vector<NodeId> found{root};
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (const NodeId neighbour : neighbours(ports, found[next])) {
      if (!tree.gives.insert(neighbour).second) continue;
      tree.parent[neighbour] = found[next];
      found.push_back(neighbour);
    }
  }
  tree.takes = tree.gives;
  return tree;
}

/// A tree of up to `most` switches that are not in `used` yet. Leaves give and take; the others may.
inline TestTree any_tree(const HyperX& network, std::int16_t id, NodeId root, std::int32_t most,
                         std::set<NodeId>& used) {
  const Ports ports(network);
  TestTree tree{.id = id, .root = root};
  std::vector<NodeId> inside{root};
  used.insert(root);
  for (std::int32_t tries = 0; tries < 3 * most && std::ssize(inside) < most; ++tries) {
    const NodeId from = inside[at(any(0, static_cast<std::int32_t>(inside.size()) - 1))];
    const auto near = neighbours(ports, from);
    if (near.empty()) continue;
    const NodeId to = near[at(any(0, static_cast<std::int32_t>(near.size()) - 1))];
    if (!used.insert(to).second) continue;
    tree.parent[to] = from;
    inside.push_back(to);
  }
  std::set<NodeId> inner;
  for (const auto& [child, above] : tree.parent) inner.insert(above);
  for (const NodeId node : inside) {
    if (!inner.contains(node) || any(0, 3) > 0) tree.gives.insert(node);
    if (!inner.contains(node) || any(0, 3) > 0) tree.takes.insert(node);
  }
  return tree;
}

/// Rates, latencies, packets and buffers at random, often so that buffers do not last.
inline HyperX any_network() {
  HyperX network = any_shape();
  while (rank_count(network) > 60) {
    if (!network.shape.empty()) {
      network.shape.pop_back();
    } else {
      network.sockets = 1;
    }
  }
  network.core_latency = Seconds(1e-9 * any(0, 10));
  network.socket_latency = Seconds(1e-9 * any(0, 30));
  network.node_latency = Seconds(1e-9 * any(0, 60));
  network.link_bandwidth = BytesPerSecond(1e9 * any(1, 16));
  network.memory_bandwidth = BytesPerSecond(1e9 * any(1, 16));
  network.buffer_packets = any(0, 2) == 0 ? any(1, 3) : any(1, 100);
  network.packet = Bytes(std::vector<int>{4, 8, 8, 12, 16, 6, 3}[at(any(0, 6))]);
  return network;
}

inline std::vector<Segment> any_segments(std::int32_t ids) {
  std::vector<Segment> segments;
  std::int64_t first = 0;
  const std::vector<Buffer> buffers{Buffer::output, Buffer::input, Buffer::scratch};
  for (std::int32_t id = 0; id < ids; ++id) {
    const std::int64_t count = any(0, 3) == 0 ? any(0, 3) : any(1, 200);
    if (any(0, 2) > 0) first = 0;
    segments.push_back({.elements = {first, count}, .to = buffers[at(std::max(0, any(-4, 2)))]});
    if (any(0, 2) == 0) segments.back().from = buffers[at(any(0, 2))];
    first += count;
  }
  return segments;
}

inline std::vector<TestTree> any_trees(const HyperX& network, std::int32_t ids) {
  std::vector<TestTree> trees;
  const NodeId ranks = rank_count(network);
  for (std::int32_t id = 0; id < ids; ++id) {
    std::set<NodeId> used;
    for (std::int32_t group = any(1, 3); group > 0; --group) {
      const NodeId root = ranks + any(0, ranks - 1);
      if (!used.contains(root)) {
        trees.push_back(any_tree(network, static_cast<std::int16_t>(id), root, any(1, 20), used));
      }
    }
  }
  return trees;
}

/// Rows of one id and channel in any order of switches, from earlier ones to later ones along any links: ways part and meet.
inline TestRows any_graph(const HyperX& network) {
  const Ports ports(network);
  const NodeId ranks = rank_count(network);
  TestRows rows;
  std::map<NodeId, std::int32_t> order;
  for (NodeId at = ranks; at < 2 * ranks; ++at) order[at] = any(0, 1 << 20);
  for (NodeId at = ranks; at < 2 * ranks; ++at) {
    rows[{at, 0, Channel::request}];
    for (Port port = 0; ports.is_link(port); ++port) {
      const auto end = ports.end(at, port);
      if (!end || order[end->at] <= order[at] || any(0, 1) == 0) continue;
      rows[{at, 0, Channel::request}].outputs.insert(port);
      rows[{end->at, 0, Channel::request}].inputs.insert(end->port);
    }
  }
  for (auto& [key, row] : rows) {
    if (row.inputs.empty() || any(0, 1) == 0) row.inputs.insert(ports.memory());
    if (row.outputs.empty() || any(0, 1) == 0) row.outputs.insert(ports.memory());
  }
  return rows;
}

inline HyperXOptions any_options(const HyperX& network) {
  HyperXOptions options;
  const NodeId ranks = rank_count(network);
  for (int slow = any(0, 2); slow > 0; --slow) options.slow[any(0, ranks - 1)] = 0.25 * any(4, 40);
  for (int late = any(0, 2); late > 0; --late) options.late[any(0, ranks - 1)] = Seconds(1e-9 * any(0, 2000));
  return options;
}

}  // namespace muster::hyperx
