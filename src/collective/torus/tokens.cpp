#include "collective/torus/tokens.h"

#include <bit>

namespace muster {

int dissemination_rounds(NodeId ranks) {
  return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks - 1)));
}

TokenBarrier::TokenBarrier(ScheduleBuilder& builder, TileStreams& streams, NodeId ranks, std::int64_t first,
                           std::int64_t tile)
    : b_(builder), streams_(streams), ranks_(ranks), own_(first), next_(first + tile), copied_(tile) {}

std::int64_t TokenBarrier::words(NodeId ranks, std::int64_t tile, int barriers) {
  return tile + barriers * dissemination_rounds(ranks);
}

void TokenBarrier::make_tokens(std::int32_t lane) {
  const SpanId copied = b_.span({0, copied_});
  for (NodeId rank = 0; rank < ranks_; ++rank) {
    b_.step(rank, copied, lane).own(Buffer::input).store(Buffer::scratch, b_.span({own_, copied_}));
  }
}

void TokenBarrier::write(std::int32_t lane) {
  SpanId sent = b_.span({own_, 1});
  for (int round = 0; round < dissemination_rounds(ranks_); ++round) {
    const SpanId received = b_.span({next_++, 1});
    const NodeId distance = NodeId{1} << round;
    std::vector<StreamId> to(static_cast<std::size_t>(ranks_));
    for (NodeId rank = 0; rank < ranks_; ++rank) {
      const NodeId receiver = (rank + distance) % ranks_;
      to[static_cast<std::size_t>(receiver)] = streams_.send(rank, receiver, sent);
    }
    for (NodeId rank = 0; rank < ranks_; ++rank) {
      b_.step(rank, sent, lane)
          .take(to[static_cast<std::size_t>(rank)])
          .store(Buffer::scratch, received)
          .send_old(Buffer::scratch, sent)
          .push(to[static_cast<std::size_t>((rank + distance) % ranks_)]);
    }
    sent = received;
  }
}

}  // namespace muster
