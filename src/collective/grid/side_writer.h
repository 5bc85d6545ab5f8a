// Writing the steps that reduce along a tree on one side of a line.
#pragma once

#include <cstdint>

#include "collective/grid/line.h"
#include "collective/grid/reduction_tree.h"
#include "schedule/builder.h"

namespace muster {

/// One side while its steps are written. `side`, `tree` and `words` outlive the writer's use. A processor adds what its
/// children send, one child after the other; the sum with the last one is forwarded as it arrives.
class SideWriter {
 public:
  /// Makes the stream of every tree index to its parent.
  SideWriter(ScheduleBuilder& builder, const Side& side, const ReductionTree& tree, SpanId words);

  /// The steps of all tree indices except the root. Their vectors are in `from`.
  void write_senders(Buffer from);

  /// The steps of one index other than the root that takes `child`, or that has no children and sends.
  void write_leaf(std::int32_t index, Buffer from);
  void write_take(std::int32_t index, std::int32_t child, Buffer own);

  /// The root's step for its next child. `own` is the buffer of the sum so far; the new one goes to `output`.
  void write_root(Buffer own);
  [[nodiscard]] bool root_is_done() const { return next_child_ == tree_->size(); }
  [[nodiscard]] std::int32_t next_child() const { return next_child_; }

  /// What an index sends to its parent.
  [[nodiscard]] StreamId up(std::int32_t index) const { return first_stream_ + index - 1; }

 private:
  void write_sender(std::int32_t index, Buffer from);

  ScheduleBuilder* builder_;
  Side side_;
  const ReductionTree* tree_;
  SpanId words_;
  StreamId first_stream_ = 0;
  std::int32_t next_child_ = 1;
};

}  // namespace muster
