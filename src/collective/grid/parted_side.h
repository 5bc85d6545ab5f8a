// A side of a line whose root gets the last of its children's sums in parts, one after the other.
#pragma once

#include <span>
#include <vector>

#include "collective/grid/line.h"
#include "collective/grid/reduction_tree.h"
#include "schedule/builder.h"

namespace muster {

/// Like SideWriter, but what comes along the path of last children is cut into parts: each of its processors takes its
/// last child part by part and forwards them. `tree` and `parts`, of which `all` consists, outlive the writer's use.
class PartedSide {
 public:
  /// Makes the streams.
  PartedSide(ScheduleBuilder& builder, const Side& side, const ReductionTree& tree, SpanId all,
             std::span<const SpanId> parts);

  /// The steps of all tree indices except the root. Their vectors are in `input`.
  void write_senders();

  /// The root's steps for all children but the last. Returns the buffer of the sum so far, at first `own`.
  Buffer write_root_but_last(Buffer own);
  /// What the last child sends of a part.
  [[nodiscard]] StreamId last(std::int32_t part) const { return up(last_, part); }

 private:
  void write_sender(std::int32_t index);
  /// What an index sends to its parent; of a part, if it is on the path.
  [[nodiscard]] StreamId up(std::int32_t index, std::int32_t part = 0) const;

  ScheduleBuilder* builder_;
  Side side_;
  const ReductionTree* tree_;
  SpanId all_;
  std::span<const SpanId> parts_;
  std::int32_t last_ = 0;        ///< child of the root
  std::vector<bool> on_path_;    ///< of each index
  std::vector<StreamId> first_;  ///< of each index: its stream, or that of its first part
};

}  // namespace muster
