// Direct: every member sends to every other member at the same time, over separate links, and processes what it receives
// concurrently.
#include "collective/dimensions/part.h"
#include "collective/dimensions/part_contract.h"

namespace muster {
namespace {

constexpr std::int32_t kSending = 0, kTaking = 1;  // lanes

}  // namespace

Schedule direct_part(Collective collective, std::int32_t size, std::int64_t count) {
  const bool reduces = collective == Collective::reduce_scatter;
  ScheduleBuilder b = part_builder(size, count);
  const auto block_of = [&](NodeId i) { return b.span(block(count, size, i)); };
  // Streams: from n to n + 1, n + 2, ... around.
  for (NodeId n = 0; n < size; ++n) {
    for (NodeId d = 1; d < size; ++d) b.stream(n, (n + d) % size, block_of(reduces ? (n + d) % size : n));
  }
  const auto stream = [&](NodeId from, NodeId to) { return from * (size - 1) + (to - from + size) % size - 1; };
  for (NodeId n = 0; n < size; ++n) {
    for (NodeId d = 1; d < size; ++d) {
      const NodeId to = (n + d) % size;
      b.step(n, block_of(reduces ? to : n), kSending).own(Buffer::input).push(stream(n, to));
    }
    if (reduces) {
      auto sum = b.step(n, block_of(n), kTaking).own(Buffer::input);
      for (NodeId d = 1; d < size; ++d) sum.take(stream((n + d) % size, n));
      sum.store(Buffer::input);
      continue;
    }
    for (NodeId d = 1; d < size; ++d) {
      const NodeId from = (n + d) % size;
      b.step(n, block_of(from), kTaking).take(stream(from, n)).store(Buffer::input);
    }
  }
  return finish_part(std::move(b), collective, size, count);
}

}  // namespace muster
