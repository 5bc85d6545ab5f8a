// Schedules in which every node sends and takes at the same time, for tests: rings, recursive doubling and Swing.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "schedule/verifier/examples_test_support.h"

namespace muster::examples {

// Rings. order[i] is the node at position i; it sends to position i + 1.

inline std::vector<NodeId> plain_ring(NodeId nodes) { return first_nodes(nodes); }

/// 0, 2, 4, ..., 5, 3, 1: neighbours on the ring are at most two apart on the row.
inline std::vector<NodeId> folded_ring(NodeId nodes) {
  std::vector<NodeId> order;
  for (NodeId v = 0; v < nodes; v += 2) order.push_back(v);
  for (NodeId v = nodes - 1 - nodes % 2; v > 0; v -= 2) order.push_back(v);
  return order;
}

class Ring {
 public:
  Ring(ScheduleBuilder& builder, std::vector<NodeId> order, std::int64_t count)
      : b_(builder), order_(std::move(order)), count_(count) {}

  /// Position i ends with block i of the combination in output. The vector is read from `from`.
  void reduce_scatter(Buffer from) {
    for (std::int64_t round = 0; round + 1 < size(); ++round) {
      const auto streams = send_round([&](std::int64_t i) { return block_span(i - round - 1); });
      for (std::int64_t i = 0; i < size(); ++i) {
        const SpanId got = block_span(i - round - 2);
        b_.step(node(i), got)
            .take(streams[static_cast<std::size_t>((i + size() - 1) % size())])
            .own(from)
            .store(Buffer::output)
            .send_old(round == 0 ? from : Buffer::output, block_span(i - round - 1))
            .push(streams[static_cast<std::size_t>(i)]);
      }
    }
  }

  /// Position i begins with block i in output; all end with all blocks.
  void allgather() {
    for (std::int64_t round = 0; round + 1 < size(); ++round) {
      const auto streams = send_round([&](std::int64_t i) { return block_span(i - round); });
      for (std::int64_t i = 0; i < size(); ++i) {
        b_.step(node(i), block_span(i - round - 1))
            .take(streams[static_cast<std::size_t>((i + size() - 1) % size())])
            .store(Buffer::output)
            .send_old(Buffer::output, block_span(i - round))
            .push(streams[static_cast<std::size_t>(i)]);
      }
    }
  }

 private:
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(order_.size()); }
  [[nodiscard]] NodeId node(std::int64_t i) const { return order_[static_cast<std::size_t>(i % size())]; }
  SpanId block_span(std::int64_t i) { return b_.span(block(count_, size(), (i % size() + size()) % size())); }

  /// The streams of one round, by sending position.
  std::vector<StreamId> send_round(const std::function<SpanId(std::int64_t)>& span) {
    std::vector<StreamId> streams;
    for (std::int64_t i = 0; i < size(); ++i) streams.push_back(b_.stream(node(i), node(i + 1), span(i)));
    return streams;
  }

  ScheduleBuilder& b_;
  std::vector<NodeId> order_;
  std::int64_t count_;
};

inline Schedule ring_allreduce(const std::vector<NodeId>& order, std::int64_t count) {
  const auto nodes = static_cast<NodeId>(order.size());
  ScheduleBuilder b({.nodes = nodes, .count = count});
  Ring ring(b, order, count);
  ring.reduce_scatter(Buffer::input);
  ring.allgather();
  b.contract({.collective = Collective::allreduce, .ranks = order, .count = count});
  return std::move(b).finish();
}

/// Each node first sends its whole block and only then takes one: right with large buffers, a deadlock with small ones.
inline Schedule careless_ring_shift(NodeId nodes, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count * nodes});
  std::vector<StreamId> streams;
  for (NodeId i = 0; i < nodes; ++i) {
    streams.push_back(b.stream(i, (i + 1) % nodes, b.span(block(count * nodes, nodes, i))));
  }
  for (NodeId i = 0; i < nodes; ++i) {
    const NodeId before = (i + nodes - 1) % nodes;
    b.step(i, b.span(block(count * nodes, nodes, i))).own(Buffer::input).push(streams[static_cast<std::size_t>(i)]);
    b.step(i, b.span(block(count * nodes, nodes, before)))
        .take(streams[static_cast<std::size_t>(before)])
        .store(Buffer::output);
    if (nodes == 2) b.step(i, b.span(block(count * 2, 2, i))).own(Buffer::input).store(Buffer::output);
  }
  // With two nodes this is an allgather; a longer ring needs more rounds and serves for its waits only.
  b.contract({.collective = Collective::allgather, .ranks = first_nodes(nodes), .count = count * nodes});
  return std::move(b).finish();
}

// Barriers. In each round, every node sends what it has to the node `distance` further on.

inline std::vector<NodeId> doubling_distances(NodeId nodes) {
  std::vector<NodeId> distances;
  for (NodeId distance = 1; distance < nodes; distance *= 2) distances.push_back(distance);
  return distances;
}

inline Schedule dissemination(NodeId nodes, const std::vector<NodeId>& distances) {
  ScheduleBuilder b({.nodes = nodes, .count = 1});
  const SpanId token = b.span({0, 1});
  Buffer from = Buffer::input;
  for (const NodeId distance : distances) {
    std::vector<StreamId> streams;
    for (NodeId i = 0; i < nodes; ++i) streams.push_back(b.stream(i, (i + distance) % nodes, token));
    for (NodeId i = 0; i < nodes; ++i) {
      b.step(i, token)
          .own(from)
          .take(streams[static_cast<std::size_t>((i + nodes - distance) % nodes)])
          .store(Buffer::output)
          .send_old(from, token)
          .push(streams[static_cast<std::size_t>(i)]);
    }
    from = Buffer::output;
  }
  b.contract({.collective = Collective::barrier, .ranks = first_nodes(nodes), .count = 1});
  return std::move(b).finish();
}

// Pairwise exchanges. partner(i, round) is symmetric.

using Partner = std::function<NodeId(NodeId, int)>;

inline int rounds_for(NodeId nodes) {
  int rounds = 0;
  while ((NodeId{1} << rounds) < nodes) ++rounds;
  return rounds;
}

inline NodeId doubling_partner(NodeId i, int round) { return i ^ (NodeId{1} << round); }

/// Swing: distances 1, -1, 3, -5, 11, ... from even nodes, the other way from odd ones.
inline Partner swing_partner(NodeId nodes) {
  return [nodes](NodeId i, int round) {
    NodeId distance = 1;
    for (int r = 0; r < round; ++r) distance = 1 - 2 * distance;
    const NodeId to = i % 2 == 0 ? i + distance : i - distance;
    return (to % nodes + nodes) % nodes;
  };
}

/// Every node exchanges the whole vector in every round.
inline Schedule exchange_whole(NodeId nodes, const Partner& partner, std::int64_t count) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  const SpanId all = b.span({0, count});
  for (int round = 0; round < rounds_for(nodes); ++round) {
    std::vector<StreamId> streams;
    for (NodeId i = 0; i < nodes; ++i) streams.push_back(b.stream(i, partner(i, round), all));
    const Buffer from = round == 0 ? Buffer::input : Buffer::output;
    for (NodeId i = 0; i < nodes; ++i) {
      b.step(i, all)
          .own(from)
          .take(streams[static_cast<std::size_t>(partner(i, round))])
          .store(Buffer::output)
          .send_old(from, all)
          .push(streams[static_cast<std::size_t>(i)]);
    }
  }
  b.contract({.collective = Collective::allreduce, .ranks = first_nodes(nodes), .count = count});
  return std::move(b).finish();
}

/// Reduce-scatter and allgather in which each round halves what a node answers for: scattered blocks.
class ExchangeBlocks {
 public:
  ExchangeBlocks(NodeId nodes, Partner partner, std::int64_t count)
      : b_({.nodes = nodes, .count = count}), nodes_(nodes), partner_(std::move(partner)), count_(count) {
    const int rounds = rounds_for(nodes);
    blocks_.resize(static_cast<std::size_t>(rounds) + 1);
    for (NodeId i = 0; i < nodes; ++i) blocks_.back().push_back({i});
    for (int r = rounds - 1; r >= 0; --r) {
      for (NodeId i = 0; i < nodes; ++i) {
        std::vector<NodeId> both = blocks(i, r + 1);
        const auto& other = blocks(partner_(i, r), r + 1);
        both.insert(both.end(), other.begin(), other.end());
        std::sort(both.begin(), both.end());
        blocks_[static_cast<std::size_t>(r)].push_back(std::move(both));
      }
    }
  }

  Schedule build() && {
    const int rounds = rounds_for(nodes_);
    for (int r = 0; r < rounds; ++r) {
      const Buffer from = r == 0 ? Buffer::input : Buffer::output;
      const auto streams = send([&](NodeId i) { return span(partner_(i, r), r + 1); }, r);
      for (NodeId i = 0; i < nodes_; ++i) {
        b_.step(i, span(i, r + 1))
            .own(from)
            .take(streams[static_cast<std::size_t>(partner_(i, r))])
            .store(Buffer::output)
            .send_old(from, span(partner_(i, r), r + 1))
            .push(streams[static_cast<std::size_t>(i)]);
      }
    }
    for (int r = rounds - 1; r >= 0; --r) {
      const auto streams = send([&](NodeId i) { return span(i, r + 1); }, r);
      for (NodeId i = 0; i < nodes_; ++i) {
        b_.step(i, span(partner_(i, r), r + 1))
            .take(streams[static_cast<std::size_t>(partner_(i, r))])
            .store(Buffer::output)
            .send_old(Buffer::output, span(i, r + 1))
            .push(streams[static_cast<std::size_t>(i)]);
      }
    }
    b_.contract({.collective = Collective::allreduce, .ranks = first_nodes(nodes_), .count = count_});
    return std::move(b_).finish();
  }

 private:
  /// What node i answers for after `round` rounds.
  [[nodiscard]] const std::vector<NodeId>& blocks(NodeId i, int round) const {
    return blocks_[static_cast<std::size_t>(round)][static_cast<std::size_t>(i)];
  }
  SpanId span(NodeId i, int round) {
    std::vector<Range> ranges;
    for (const NodeId number : blocks(i, round)) ranges.push_back(block(count_, nodes_, number));
    return b_.span(ranges);
  }
  std::vector<StreamId> send(const std::function<SpanId(NodeId)>& what, int round) {
    std::vector<StreamId> streams;
    for (NodeId i = 0; i < nodes_; ++i) streams.push_back(b_.stream(i, partner_(i, round), what(i)));
    return streams;
  }

  ScheduleBuilder b_;
  NodeId nodes_;
  Partner partner_;
  std::int64_t count_;
  std::vector<std::vector<std::vector<NodeId>>> blocks_;  ///< by round and node
};

inline Schedule exchange_blocks(NodeId nodes, Partner partner, std::int64_t count) {
  return ExchangeBlocks(nodes, std::move(partner), count).build();
}

}  // namespace muster::examples
