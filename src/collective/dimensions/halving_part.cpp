// Halving and doubling. Among the first 2^k members, pairs at distance 2^(k-1), ..., 2, 1 exchange halves of what they still
// share: a reduce-scatter; the other way round: an allgather. Member 2^k + i, if there is one, is folded into member i, which
// works for both of their blocks.
#include <bit>

#include "collective/dimensions/part.h"
#include "collective/dimensions/part_contract.h"

namespace muster {
namespace {

class HalvingWriter {
 public:
  HalvingWriter(Collective collective, std::int32_t size, std::int64_t count)
      : collective_(collective),
        size_(size),
        pairs_(static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(size)))),
        count_(count),
        b_(part_builder(size, count)) {}

  Schedule write() && {
    if (collective_ == Collective::reduce_scatter) {
      for (NodeId n = pairs_; n < size_; ++n) fold_in(n, b_.span({0, count_}), true);
      for (NodeId distance = pairs_ / 2; distance >= 1; distance /= 2) halve(distance);
      for (NodeId n = pairs_; n < size_; ++n) unfold(n, block_of(n));
    } else {
      for (NodeId n = pairs_; n < size_; ++n) fold_in(n, block_of(n), false);
      for (NodeId distance = 1; distance < pairs_; distance *= 2) double_up(distance);
      for (NodeId n = pairs_; n < size_; ++n) unfold(n, all_but(n));
    }
    return finish_part(std::move(b_), collective_, size_, count_);
  }

 private:
  SpanId block_of(NodeId n) { return b_.span(block(count_, size_, n)); }
  SpanId all_but(NodeId n) {
    const Range own = block(count_, size_, n);
    const std::array<Range, 2> others{Range{0, own.first}, Range{own.end(), count_ - own.end()}};
    return b_.span(others);
  }
  /// The blocks of members [first, end), all below 2^k, and of those that are folded into them.
  SpanId blocks(NodeId first, NodeId end) {
    std::vector<Range> ranges;
    for (const NodeId shift : {0, pairs_}) {
      for (NodeId n = first + shift; n < end + shift && n < size_; ++n) ranges.push_back(block(count_, size_, n));
    }
    return b_.span(ranges);
  }
  SpanId blocks_around(NodeId n, NodeId distance) {
    const NodeId first = n / distance * distance;
    return blocks(first, first + distance);
  }

  /// A member beyond 2^k hands something to its partner, which adds or keeps it.
  void fold_in(NodeId n, SpanId what, bool adds) {
    const NodeId partner = n - pairs_;
    const StreamId stream = b_.stream(n, partner, what);
    b_.step(n, what).own(Buffer::input).push(stream);
    auto step = b_.step(partner, what);
    if (adds) step.own(Buffer::input);
    step.take(stream).store(Buffer::input);
  }
  void unfold(NodeId n, SpanId what) {
    const StreamId stream = b_.stream(n - pairs_, n, what);
    b_.step(n - pairs_, what).own(Buffer::input).push(stream);
    b_.step(n, what).take(stream).store(Buffer::input);
  }
  /// Every member shares blocks with a group of 2 `distance` members; each half keeps its own.
  void halve(NodeId distance) {
    exchange(
        distance, [&](NodeId n) { return blocks_around(n, distance); },
        [&](NodeId n) { return blocks_around(n ^ distance, distance); }, true);
  }
  /// Every member has the blocks of a group of `distance` members, and gets those of the neighbouring group.
  void double_up(NodeId distance) {
    exchange(
        distance, [&](NodeId n) { return blocks_around(n ^ distance, distance); },
        [&](NodeId n) { return blocks_around(n, distance); }, false);
  }
  template <class Taken, class Sent>
  void exchange(NodeId distance, Taken taken, Sent sent, bool adds) {
    std::vector<StreamId> streams;
    for (NodeId n = 0; n < pairs_; ++n) streams.push_back(b_.stream(n, n ^ distance, sent(n)));
    for (NodeId n = 0; n < pairs_; ++n) {
      auto step = b_.step(n, taken(n));
      if (adds) step.own(Buffer::input);
      step.take(streams[static_cast<std::size_t>(n ^ distance)]).store(Buffer::input);
      step.send_old(Buffer::input, sent(n)).push(streams[static_cast<std::size_t>(n)]);
    }
  }

  Collective collective_;
  std::int32_t size_;
  std::int32_t pairs_;
  std::int64_t count_;
  ScheduleBuilder b_;
};

}  // namespace

Schedule halving_part(Collective collective, std::int32_t size, std::int64_t count) {
  return HalvingWriter(collective, size, count).write();
}

}  // namespace muster
