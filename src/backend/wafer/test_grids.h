// Schedules on grids and rings for the tests of the wafer backend: reductions along any forest, with or without a flood
// behind them, and rings of exchanges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "backend/wafer/test_schedules.h"

namespace muster::wafer::test {

/// Who sends to whom: the children of each node, in the order in which it takes them.
using Forest = std::vector<std::vector<NodeId>>;

inline Forest forest_of(NodeId nodes) { return Forest(static_cast<std::size_t>(nodes)); }

/// A tree along a line: index p is node root + p * stride.
inline void add_side(Forest& forest, NodeId root, const Side& side) {
  for (std::int32_t p = 1; p < static_cast<std::int32_t>(side.tree.size()); ++p) {
    const NodeId parent = root + side.tree[static_cast<std::size_t>(p)] * side.stride;
    forest[static_cast<std::size_t>(parent)].push_back(root + p * side.stride);
  }
}

/// A line of `size` nodes from `first` that reduces to index `root`, by the trees that `tree(size)` makes. With both
/// sides, the root takes from them in turn.
template <class MakeTree>
void add_line(Forest& forest, NodeId first, NodeId stride, std::int32_t size, std::int32_t root, MakeTree tree) {
  const NodeId node = first + root * stride;
  auto& children = forest[static_cast<std::size_t>(node)];
  const std::vector<NodeId> before = std::exchange(children, {});
  add_side(forest, node, {.tree = tree(size - root), .stride = stride});
  const std::vector<NodeId> right = std::exchange(children, before);
  add_side(forest, node, {.tree = tree(root + 1), .stride = -stride});
  const std::vector<NodeId> left(children.begin() + static_cast<std::ptrdiff_t>(before.size()), children.end());
  children = before;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    if (i < right.size()) children.push_back(right[i]);
    if (i < left.size()) children.push_back(left[i]);
  }
}

/// A grid, and the node to which it reduces.
struct Grid {
  std::int32_t width = 1;
  std::int32_t height = 1;
  std::int32_t root_x = 0;
  std::int32_t root_y = 0;
  [[nodiscard]] NodeId nodes() const { return width * height; }
  [[nodiscard]] NodeId root() const { return root_y * width + root_x; }
};

template <class MakeTree>
Forest rows_of(const Grid& grid, MakeTree tree) {
  Forest forest = forest_of(grid.nodes());
  for (std::int32_t y = 0; y < grid.height; ++y) add_line(forest, y * grid.width, 1, grid.width, grid.root_x, tree);
  return forest;
}

/// Every column, or the root's alone.
template <class MakeTree>
void add_columns(Forest& forest, const Grid& grid, MakeTree tree, bool all) {
  for (std::int32_t x = 0; x < grid.width; ++x) {
    if (all || x == grid.root_x) add_line(forest, x, grid.width, grid.height, grid.root_y, tree);
  }
}

/// One chain through all rows, back and forth.
inline Forest snake_of(const Grid& grid) {
  std::vector<NodeId> path;
  for (std::int32_t y = 0; y < grid.height; ++y) {
    for (std::int32_t x = 0; x < grid.width; ++x)
      path.push_back(y * grid.width + (y % 2 == 0 ? x : grid.width - 1 - x));
  }
  Forest forest = forest_of(grid.nodes());
  for (std::size_t i = 1; i < path.size(); ++i) forest[static_cast<std::size_t>(path[i - 1])].push_back(path[i]);
  return forest;
}

/// What follows a reduction.
enum class Flood {
  none,
  after,  ///< the root sends its sum to all once it has it
  fused,  ///< the root sends its sum on as the last child's elements come; the others take it on a lane of their own
};

/// Writes the reduction of every tree of a forest to its root, from the buffer `from`. A node forwards the sum as its
/// last child's elements come. Partial sums are kept in output; with a fused flood, which ends there, in scratch.
class ForestWriter {
 public:
  ForestWriter(ScheduleBuilder& builder, const Forest& forest, SpanId all, Buffer from, Flood flood)
      : b_(builder),
        forest_(forest),
        all_(all),
        from_(from),
        partial_(flood == Flood::fused ? Buffer::scratch : Buffer::output),
        flood_(flood),
        up_(forest.size(), kNone) {}

  void write() {
    std::vector<bool> is_root(forest_.size(), true);
    for (std::size_t n = 0; n < forest_.size(); ++n) {
      for (const NodeId child : forest_[n]) {
        is_root[static_cast<std::size_t>(child)] = false;
        up_[static_cast<std::size_t>(child)] = b_.stream(child, static_cast<NodeId>(n), all_);
      }
    }
    for (std::size_t n = 0; n < forest_.size(); ++n) {
      if (is_root[n]) write_tree(static_cast<NodeId>(n));
    }
  }

 private:
  static constexpr NodeId kNone = -1;

  void write_tree(NodeId root) {
    std::vector<NodeId> members{root};
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::vector<NodeId>& children = forest_[static_cast<std::size_t>(members[i])];
      members.insert(members.end(), children.begin(), children.end());
    }
    const std::span<NodeId> others = std::span(members).subspan(1);
    std::sort(others.begin(), others.end());
    const bool floods = flood_ != Flood::none && !others.empty();
    const StreamId flood = floods ? b_.multicast(root, others, all_) : kNone;
    write_node(root, true, flood_ == Flood::fused ? flood : kNone);
    for (const NodeId n : others) write_node(n, false, up_[static_cast<std::size_t>(n)]);
    if (!floods) return;
    if (flood_ == Flood::after) b_.step(root, all_).own(Buffer::output).push(flood);
    for (const NodeId n : others) b_.step(n, all_, flood_ == Flood::fused ? 1 : 0).take(flood).store(Buffer::output);
  }

  void write_node(NodeId node, bool root, StreamId out) {
    const std::vector<NodeId>& children = forest_[static_cast<std::size_t>(node)];
    Buffer own = from_;
    for (const NodeId child : children) {
      const bool last = child == children.back();
      auto step = b_.step(node, all_).own(own).take(up_[static_cast<std::size_t>(child)]);
      if (!last) step.store(own = partial_);
      if (last && root) step.store(Buffer::output);
      if (last && out != kNone) step.push(out);
    }
    if (!children.empty()) return;
    auto step = b_.step(node, all_).own(own);
    if (out != kNone) step.push(out);
    if (root) step.store(Buffer::output);
  }

  ScheduleBuilder& b_;
  const Forest& forest_;
  SpanId all_;
  Buffer from_;
  Buffer partial_;
  Flood flood_;
  std::vector<StreamId> up_;
};

/// The reduction of a forest with one tree, to `root`; an AllReduce with a flood after it.
inline Schedule reduce_forest(const Forest& forest, NodeId root, std::int64_t count, Flood flood = Flood::none) {
  const auto nodes = static_cast<NodeId>(forest.size());
  ScheduleBuilder b({.nodes = nodes, .count = count, .scratch = flood == Flood::fused ? count : 0});
  ForestWriter(b, forest, b.span({0, count}), Buffer::input, flood).write();
  b.contract({.collective = flood == Flood::none ? Collective::reduce : Collective::allreduce,
              .ranks = all_ranks(nodes),
              .root = root,
              .count = count});
  return std::move(b).finish();
}

/// X-Y reduce: rows to the root's column, then that column.
template <class MakeTree>
Schedule reduce_xy(const Grid& grid, std::int64_t count, MakeTree tree, Flood flood = Flood::none) {
  Forest forest = rows_of(grid, tree);
  add_columns(forest, grid, tree, false);
  return reduce_forest(forest, grid.root(), count, flood);
}

/// AllReduce of every row, then of every column.
template <class MakeTree>
Schedule allreduce_x_then_y(const Grid& grid, std::int64_t count, MakeTree tree) {
  ScheduleBuilder b({.nodes = grid.nodes(), .count = count});
  const SpanId all = b.span({0, count});
  ForestWriter(b, rows_of(grid, tree), all, Buffer::input, Flood::after).write();
  Forest columns = forest_of(grid.nodes());
  add_columns(columns, grid, tree, true);
  ForestWriter(b, columns, all, Buffer::output, Flood::after).write();
  b.contract({.collective = Collective::allreduce, .ranks = all_ranks(grid.nodes()), .root = 0, .count = count});
  return std::move(b).finish();
}

/// Neighbours in order, with one stream back over all of them.
inline std::vector<NodeId> plain_ring(NodeId size) { return all_ranks(size); }

/// Every stream passes over one processor: 0 2 4 5 3 1.
inline std::vector<NodeId> folded_ring(NodeId size) {
  std::vector<NodeId> ring;
  for (NodeId n = 0; n < size; n += 2) ring.push_back(n);
  for (NodeId n = size - 1 - size % 2; n > 0; n -= 2) ring.push_back(n);
  return ring;
}

/// Ring AllReduce: blocks are summed on their way round, then passed round. Every round is one exchange per processor.
inline Schedule ring_allreduce(const std::vector<NodeId>& ring, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(ring.size());
  ScheduleBuilder b({.nodes = static_cast<NodeId>(size), .count = count});
  const auto block_span = [&](std::int64_t index) { return b.span(block(count, size, (index + 2 * size) % size)); };
  for (std::int64_t round = 0; round < 2 * (size - 1); ++round) {
    const bool gathers = round >= size - 1;
    const std::int64_t lag = gathers ? round - size : round;
    std::vector<StreamId> streams;
    for (std::int64_t i = 0; i < size; ++i) {
      const NodeId next = ring[static_cast<std::size_t>((i + 1) % size)];
      streams.push_back(b.stream(ring[static_cast<std::size_t>(i)], next, block_span(i - lag)));
    }
    for (std::int64_t i = 0; i < size; ++i) {
      const SpanId taken = block_span(i - lag - 1);
      auto step = b.step(ring[static_cast<std::size_t>(i)], taken);
      step.take(streams[static_cast<std::size_t>((i + size - 1) % size)]);
      if (!gathers) step.own(Buffer::input);
      step.store(Buffer::output).push(streams[static_cast<std::size_t>(i)]);
      step.send_old(round == 0 ? Buffer::input : Buffer::output, block_span(i - lag));
    }
  }
  b.contract(
      {.collective = Collective::allreduce, .ranks = all_ranks(static_cast<NodeId>(size)), .root = 0, .count = count});
  return std::move(b).finish();
}

/// A random tree in pre-order: `choose(n)` gives a number below n.
template <class Choose>
Tree random_tree(std::int32_t size, Choose choose) {
  Tree tree;
  std::vector<std::int32_t> open;  // the last index and those above it
  for (std::int32_t p = 0; p < size; ++p) {
    if (!open.empty()) open.resize(1 + static_cast<std::size_t>(choose(static_cast<std::int32_t>(open.size()))));
    tree.push_back(open.empty() ? 0 : open.back());
    open.push_back(p);
  }
  return tree;
}

}  // namespace muster::wafer::test
