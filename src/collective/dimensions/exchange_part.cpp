// All-to-all along one dimension, in place: member n sends block m to member m, and what m has for n takes its place. Every such
// pair is an exchange of its own, in a lane of its own, so they do not wait for each other. Around a ring a message passes
// the members in between, in the shorter direction if NPUs have links in both; members alternate between two paths of equal length.
#include <cstdlib>

#include "base/index.h"
#include "collective/dimensions/part.h"
#include "collective/dimensions/part_contract.h"

namespace muster {
namespace {

/// The streams of the message from one member to another, hop by hop; and the lanes of who forwards it.
class ExchangeWriter {
 public:
  ExchangeWriter(std::int32_t size, std::int64_t count, RingWays ways)
      : size_(size), count_(count), ways_(ways), b_(part_builder(size, count)), passing_(at(size), size - 1) {}

  Schedule write(bool around_ring) && {
    std::vector<StreamId> first(at(size_) * at(size_)), last(at(size_) * at(size_));
    const auto of_pair = [&](NodeId from, NodeId to) { return at(from) * at(size_) + at(to); };
    for (NodeId n = 0; n < size_; ++n) {
      for (NodeId m = 0; m < size_; ++m) {
        if (n == m) continue;
        const std::int32_t hops = around_ring ? hops_between(n, m) : 0;
        first[of_pair(n, m)] = b_.stream(n, hops == 0 ? m : next(n, hops), block_of(m));
        last[of_pair(n, m)] = hops == 0 ? first[of_pair(n, m)] : pass_on(n, m, hops, first[of_pair(n, m)]);
      }
    }
    for (NodeId n = 0; n < size_; ++n) {
      for (NodeId m = 0; m < size_; ++m) {
        if (n == m) continue;
        b_.step(n, block_of(n), m < n ? m : m - 1)
            .take(last[of_pair(m, n)])
            .store(Buffer::input, block_of(m))
            .send_old(Buffer::input, block_of(m))
            .push(first[of_pair(n, m)]);
      }
    }
    return finish_part(std::move(b_), Collective::all_to_all, size_, count_);
  }

 private:
  SpanId block_of(NodeId member) { return b_.span(block(count_, size_, member)); }

  /// Hops around the ring: upwards if positive.
  [[nodiscard]] std::int32_t hops_between(NodeId from, NodeId to) const {
    const std::int32_t up = (to - from + size_) % size_, down = size_ - up;
    if (ways_ == RingWays::one || up < down) return up;
    return up > down || from % 2 == 1 ? -down : up;
  }
  [[nodiscard]] NodeId next(NodeId member, std::int32_t hops) const {
    return (member + (hops > 0 ? 1 : size_ - 1)) % size_;
  }

  /// Those between pass the stream on. Returns the stream that reaches the target.
  StreamId pass_on(NodeId from, NodeId to, std::int32_t hops, StreamId stream) {
    NodeId member = next(from, hops);
    for (std::int32_t hop = 1; hop < std::abs(hops); ++hop) {
      const NodeId after = next(member, hops);
      const StreamId onwards = b_.stream(member, after, block_of(to));
      b_.step(member, block_of(to), passing_[at(member)]++).take(stream).push(onwards);
      stream = onwards;
      member = after;
    }
    return stream;
  }

  std::int32_t size_;
  std::int64_t count_;
  RingWays ways_;
  ScheduleBuilder b_;
  std::vector<std::int32_t> passing_;  ///< of each member: the next free lane
};

}  // namespace

Schedule ring_exchange_part(std::int32_t size, std::int64_t count, RingWays ways) {
  return ExchangeWriter(size, count, ways).write(true);
}

Schedule direct_exchange_part(std::int32_t size, std::int64_t count) {
  return ExchangeWriter(size, count, RingWays::one).write(false);
}

}  // namespace muster
