// Ring: in round t every member forwards a block, and adds the received one to its own (reduce-scatter) or stores it (allgather). A
// block that has been forwarded P - 1 times has visited all members. If members have links in both directions, the two halves of a
// block travel in opposite directions at the same time.
#include "base/index.h"
#include "collective/dimensions/part.h"
#include "collective/dimensions/part_contract.h"

namespace muster {
namespace {

/// One direction around the ring, in a lane of its own.
struct RingDirection {
  bool reduces = false;
  NodeId towards = 1;  ///< from a member to the next one: 1 or -1
  std::int32_t lane = 0;
  std::vector<SpanId> blocks;  ///< or halves of them, by member
};

void add_direction(ScheduleBuilder& b, const RingDirection& direction) {
  const auto size = static_cast<NodeId>(direction.blocks.size());
  const auto around = [&](NodeId i) { return (i % size + size) % size; };
  // Block n ends at member n: the first one to forward it is its neighbour on this way (reduce-scatter) or n itself.
  const auto passed = [&](NodeId member, NodeId turn) {
    return direction.blocks[at(around(member - direction.towards * (direction.reduces ? turn + 1 : turn)))];
  };
  std::vector<StreamId> streams;
  for (NodeId n = 0; n < size; ++n) {
    for (NodeId t = 0; t + 1 < size; ++t) streams.push_back(b.stream(n, around(n + direction.towards), passed(n, t)));
  }
  const auto stream = [&](NodeId member, NodeId turn) { return streams[at(around(member) * (size - 1) + turn)]; };
  for (NodeId n = 0; n < size; ++n) {
    for (NodeId t = 0; t + 1 < size; ++t) {
      const NodeId before = n - direction.towards;
      auto step = b.step(n, passed(before, t), direction.lane);
      if (direction.reduces) step.own(Buffer::input);
      step.take(stream(before, t)).store(Buffer::input).send_old(Buffer::input, passed(n, t)).push(stream(n, t));
    }
  }
}

}  // namespace

Schedule ring_part(Collective collective, std::int32_t size, std::int64_t count, RingWays ways) {
  // Two members are neighbours on both sides, and a block of one word has no halves.
  const bool both = ways == RingWays::both && size > 2 && count >= 2 * std::int64_t{size};
  ScheduleBuilder b = part_builder(size, count);
  RingDirection up{.reduces = collective == Collective::reduce_scatter, .towards = 1, .lane = 0, .blocks = {}};
  RingDirection down{.reduces = up.reduces, .towards = -1, .lane = 1, .blocks = {}};
  for (NodeId n = 0; n < size; ++n) {
    const Range whole = block(count, size, n);
    const std::int64_t half = both ? (whole.count + 1) / 2 : whole.count;
    up.blocks.push_back(b.span(Range{whole.first, half}));
    if (both) down.blocks.push_back(b.span(Range{whole.first + half, whole.count - half}));
  }
  add_direction(b, up);
  if (both) add_direction(b, down);
  return finish_part(std::move(b), collective, size, count);
}

}  // namespace muster
