// From a tree on a side of a line to steps. Linear in the number of places.
#include "collective/grid/side_writer.h"

#include "base/error.h"

namespace muster {

SideWriter::SideWriter(ScheduleBuilder& builder, const Side& side, const ReductionTree& tree, SpanId words)
    : builder_(&builder), side_(side), tree_(&tree), words_(words) {
  MUSTER_ASSERT(tree.places() == side.length, "a tree of {} places on a side of {}", tree.places(), side.length);
  for (std::int32_t x = 1; x < tree.places(); ++x) {
    const StreamId stream = builder.stream(side_.node(x), side_.node(tree.parent(x)), words_);
    if (x == 1) first_stream_ = stream;
  }
}

void SideWriter::write_senders(Buffer from) {
  for (std::int32_t x = 1; x < tree_->places(); ++x) write_sender(x, from);
}

void SideWriter::write_sender(std::int32_t place, Buffer from) {
  if (tree_->is_leaf(place)) write_leaf(place, from);
  Buffer own = from;
  for (const std::int32_t child : tree_->children(place)) {
    write_take(place, child, own);
    own = Buffer::output;
  }
}

void SideWriter::write_leaf(std::int32_t place, Buffer from) {
  builder_->step(side_.node(place), words_).own(from).push(up(place));
}

void SideWriter::write_take(std::int32_t place, std::int32_t child, Buffer own) {
  auto step = builder_->step(side_.node(place), words_).own(own).take(up(child));
  if (tree_->is_last_child(child)) {
    step.push(up(place));
  } else {
    step.store(Buffer::output);
  }
}

void SideWriter::write_root(Buffer own) {
  MUSTER_ASSERT(next_child_ < tree_->places(), "the root has no more children on this side");
  builder_->step(side_.root, words_).own(own).take(up(next_child_)).store(Buffer::output);
  next_child_ = tree_->end(next_child_);
}

}  // namespace muster
