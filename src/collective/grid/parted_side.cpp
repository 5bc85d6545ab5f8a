// From a tree on a side of a line to steps, with parts along the path of last children. Linear in PEs and parts.
#include "collective/grid/parted_side.h"

#include "base/error.h"
#include "base/index.h"

namespace muster {

PartedSide::PartedSide(ScheduleBuilder& builder, const Side& side, const ReductionTree& tree, SpanId all,
                       std::span<const SpanId> parts)
    : builder_(&builder),
      side_(side),
      tree_(&tree),
      all_(all),
      parts_(parts),
      on_path_(at(tree.size()), false),
      first_(at(tree.size()), -1) {
  MUSTER_ASSERT(tree.size() == side.length && tree.size() > 1, "a tree of {} PEs on a side of {}", tree.size(),
                side.length);
  for (std::int32_t x = 1; x < tree.size(); ++x) {
    const std::int32_t parent = tree.parent(x);
    on_path_[at(x)] = tree.is_last_child(x) && (parent == 0 || on_path_[at(parent)]);
    if (on_path_[at(x)] && parent == 0) last_ = x;
    const auto stream = [&](SpanId words) { return builder.stream(side_.node(x), side_.node(parent), words); };
    if (!on_path_[at(x)]) {
      first_[at(x)] = stream(all_);
      continue;
    }
    for (const SpanId part : parts_) {
      const StreamId id = stream(part);
      if (first_[at(x)] < 0) first_[at(x)] = id;
    }
  }
}

StreamId PartedSide::up(std::int32_t index, std::int32_t part) const { return first_[at(index)] + part; }

void PartedSide::write_senders() {
  for (std::int32_t x = 1; x < tree_->size(); ++x) write_sender(x);
}

void PartedSide::write_sender(std::int32_t index) {
  const NodeId node = side_.node(index);
  Buffer own = Buffer::input;
  for (const std::int32_t child : tree_->children(index)) {
    if (tree_->is_last_child(child)) break;
    builder_->step(node, all_).own(own).take(up(child)).store(Buffer::output);
    own = Buffer::output;
  }
  const std::int32_t last = tree_->last_child(index);
  const bool parted = on_path_[at(index)];
  const std::int32_t count = parted ? static_cast<std::int32_t>(parts_.size()) : 1;
  for (std::int32_t part = 0; part < count; ++part) {
    auto step = builder_->step(node, parted ? parts_[at(part)] : all_).own(own);
    if (last >= 0) step.take(up(last, part));
    step.push(up(index, part));
  }
}

Buffer PartedSide::write_root_but_last(Buffer own) {
  for (const std::int32_t child : tree_->children(0)) {
    if (child == last_) break;
    builder_->step(side_.root, all_).own(own).take(up(child)).store(Buffer::output);
    own = Buffer::output;
  }
  return own;
}

}  // namespace muster
