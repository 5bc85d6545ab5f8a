// From a tree on a side of a line to steps. Linear in the number of PEs.
#include "collective/grid/side_writer.h"

#include "base/error.h"

namespace muster {

SideWriter::SideWriter(ScheduleBuilder& builder, const Side& side, const ReductionTree& tree, SpanId words)
    : builder_(&builder), side_(side), tree_(&tree), words_(words) {
  MUSTER_ASSERT(tree.size() == side.length, "a tree of {} PEs on a side of {}", tree.size(), side.length);
  for (std::int32_t x = 1; x < tree.size(); ++x) {
    const StreamId stream = builder.stream(side_.node(x), side_.node(tree.parent(x)), words_);
    if (x == 1) first_stream_ = stream;
  }
}

void SideWriter::write_senders(Buffer from) {
  for (std::int32_t x = 1; x < tree_->size(); ++x) write_sender(x, from);
}

void SideWriter::write_sender(std::int32_t index, Buffer from) {
  if (tree_->is_leaf(index)) write_leaf(index, from);
  Buffer own = from;
  for (const std::int32_t child : tree_->children(index)) {
    write_take(index, child, own);
    own = Buffer::output;
  }
}

void SideWriter::write_leaf(std::int32_t index, Buffer from) {
  builder_->step(side_.node(index), words_).own(from).push(up(index));
}

void SideWriter::write_take(std::int32_t index, std::int32_t child, Buffer own) {
  auto step = builder_->step(side_.node(index), words_).own(own).take(up(child));
  if (tree_->is_last_child(child)) {
    step.push(up(index));
  } else {
    step.store(Buffer::output);
  }
}

void SideWriter::write_root(Buffer own) {
  MUSTER_ASSERT(next_child_ < tree_->size(), "the root has no more children on this side");
  builder_->step(side_.root, words_).own(own).take(up(next_child_)).store(Buffer::output);
  next_child_ = tree_->end(next_child_);
}

}  // namespace muster
