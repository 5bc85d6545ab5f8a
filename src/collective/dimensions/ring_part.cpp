// Ring: in turn t every member passes a block on, and adds the one that it gets to its own (reduce-scatter) or keeps it
// (allgather). A block that has been passed P - 1 times has met everybody.
#include "base/index.h"
#include "collective/dimensions/part.h"
#include "collective/dimensions/part_contract.h"

namespace muster {

Schedule ring_part(Collective collective, std::int32_t size, std::int64_t count) {
  const bool reduces = collective == Collective::reduce_scatter;
  ScheduleBuilder b = part_builder(size, count);
  const auto around = [&](NodeId i) { return (i % size + size) % size; };
  std::vector<SpanId> blocks;
  for (NodeId n = 0; n < size; ++n) blocks.push_back(b.span(block(count, size, n)));
  // Block n ends at member n: the first one to pass it on is its right neighbour (reduce-scatter) or n itself.
  const auto passed = [&](NodeId member, NodeId turn) {
    return blocks[at(around(reduces ? member - 1 - turn : member - turn))];
  };
  const auto stream = [&](NodeId member, NodeId turn) { return around(member) * (size - 1) + turn; };
  for (NodeId n = 0; n < size; ++n) {
    for (NodeId t = 0; t + 1 < size; ++t) b.stream(n, around(n + 1), passed(n, t));
  }
  for (NodeId n = 0; n < size; ++n) {
    for (NodeId t = 0; t + 1 < size; ++t) {
      auto step = b.step(n, passed(n - 1, t));
      if (reduces) step.own(Buffer::input);
      step.take(stream(n - 1, t)).store(Buffer::input).send_old(Buffer::input, passed(n, t)).push(stream(n, t));
    }
  }
  return finish_part(std::move(b), collective, size, count);
}

}  // namespace muster
