#include "collective/torus/multicasts.h"

#include "base/index.h"

namespace muster {

void write_multicast(ScheduleBuilder& builder, const Torus& torus, TileStreams& streams,
                     const MulticastToAll& message) {
  const std::vector<StreamId> sent = streams.send_to_all(message.from, message.what, message.noc);
  const NodeId ranks = rank_count(torus);
  const NodeId in_whole_rows = ranks / used_columns(torus) * used_columns(torus);
  for (NodeId rank = 0; rank < ranks; ++rank) {
    auto step = builder.step(rank, message.what, message.lane);
    if (rank == message.from) {
      step.own(message.sent);
      if (message.sent == Buffer::input) step.store(Buffer::output);
      for (const StreamId stream : sent) step.push(stream);
    } else {
      step.take(rank < in_whole_rows ? sent.front() : sent.back()).store(Buffer::output);
    }
    if (!message.after.empty() && message.after[at(rank)] >= 0) step.after(message.after[at(rank)]);
  }
}

}  // namespace muster
