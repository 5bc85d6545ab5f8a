// From a tree on a line to the schedule that reduces along it. Linear in the number of processors.
#include "collective/reduction_tree.h"

#include <numeric>
#include <utility>

#include "base/error.h"
#include "schedule/builder.h"

namespace muster {

ReductionTree::ReductionTree(std::vector<std::int32_t> parents)
    : parents_(std::move(parents)), sizes_(parents_.size(), 1) {
  MUSTER_ASSERT(!parents_.empty(), "a reduction tree needs a root");
  for (std::int32_t x = places() - 1; x > 0; --x) {
    MUSTER_ASSERT(parent(x) >= 0 && parent(x) < x, "place {} has the parent {}", x, parent(x));
    sizes_[static_cast<std::size_t>(parent(x))] += sizes_[static_cast<std::size_t>(x)];
  }
  // In pre-order the subtree of x lies within that of its parent. Together with the sizes, which add up, this is
  // enough: the subtrees of two children of one place cannot overlap.
  for (std::int32_t x = 1; x < places(); ++x) {
    MUSTER_ASSERT(end(x) <= end(parent(x)), "place {} does not follow its parent {} in pre-order", x, parent(x));
  }
}

ReductionTree ReductionTree::from(std::int32_t places, const std::function<std::int32_t(std::int32_t)>& parent) {
  std::vector<std::int32_t> parents(static_cast<std::size_t>(places), -1);
  for (std::int32_t x = 1; x < places; ++x) parents[static_cast<std::size_t>(x)] = parent(x);
  return ReductionTree(std::move(parents));
}

namespace {

/// One side while its steps are written: the stream that each place sends to its parent is up[place - 1].
class SideWriter {
 public:
  SideWriter(ScheduleBuilder& builder, const Side& side, ReductionTree tree, SpanId all)
      : builder_(builder), side_(side), tree_(std::move(tree)), all_(all) {
    for (std::int32_t x = 1; x < tree_.places(); ++x) {
      const StreamId stream = builder_.stream(side_.node(x), side_.node(tree_.parent(x)), all_);
      if (x == 1) first_stream_ = stream;
    }
  }

  void write_senders() {
    for (std::int32_t x = 1; x < tree_.places(); ++x) write_sender(x);
  }

  /// The root's steps for this side. `own` is where the sum so far lies: the input before the first step.
  void write_root(Buffer& own) {
    for (const std::int32_t child : tree_.children(0)) {
      builder_.step(side_.root, all_).own(own).take(up(child)).store(Buffer::output);
      own = Buffer::output;
    }
  }

 private:
  [[nodiscard]] StreamId up(std::int32_t x) const { return first_stream_ + x - 1; }

  void write_sender(std::int32_t x) {
    const NodeId node = side_.node(x);
    if (tree_.is_leaf(x)) builder_.step(node, all_).own(Buffer::input).push(up(x));
    Buffer own = Buffer::input;
    for (const std::int32_t child : tree_.children(x)) {
      auto step = builder_.step(node, all_).own(own).take(up(child));
      if (tree_.is_last_child(child)) {
        step.push(up(x));
      } else {
        step.store(Buffer::output);
        own = Buffer::output;
      }
    }
  }

  ScheduleBuilder& builder_;
  Side side_;
  ReductionTree tree_;
  SpanId all_;
  StreamId first_stream_ = 0;
};

std::vector<NodeId> all_nodes(std::int32_t count) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

}  // namespace

Schedule reduce_along_line(const Line& line, std::int64_t count, const TreeFor& tree_for) {
  ScheduleBuilder b({.nodes = line.length, .count = count});
  const SpanId all = b.span({0, count});
  Buffer own = Buffer::input;
  for (const Side& side : line.sides()) {
    SideWriter writer(b, side, tree_for(side.length), all);
    writer.write_senders();
    writer.write_root(own);
  }
  if (line.length == 1) b.step(line.root, all).own(Buffer::input).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = all_nodes(line.length), .root = line.root, .count = count});
  return std::move(b).finish();
}

}  // namespace muster
