// Parts of phases for tests.
#pragma once

#include <utility>
#include <vector>

#include "schedule/builder.h"

namespace muster::cluster {

/// Two members exchange halves of `count` words.
inline Schedule halves(std::int64_t count) {
  ScheduleBuilder b({.nodes = 2, .count = count, .output = 0});
  const SpanId low = b.span({0, count / 2}), high = b.span({count / 2, count - count / 2});
  const StreamId s = b.stream(0, 1, high), t = b.stream(1, 0, low);
  b.step(0, low).own(Buffer::input).take(t).store(Buffer::input).send_old(Buffer::input, high).push(s);
  b.step(1, high).own(Buffer::input).take(s).store(Buffer::input).send_old(Buffer::input, low).push(t);
  b.contract({.collective = Collective::reduce_scatter, .ranks = {0, 1}, .count = count, .to = Buffer::input});
  return std::move(b).finish();
}

/// Members send all they have to node `members`, a switch, which sends all of them the sum.
inline Schedule sum_at_switch(NodeId members, std::int64_t count) {
  ScheduleBuilder b({.nodes = members + 1, .count = count, .output = 0});
  const SpanId all = b.span({0, count});
  std::vector<NodeId> ranks;
  std::vector<StreamId> up;
  for (NodeId n = 0; n < members; ++n) {
    ranks.push_back(n);
    up.push_back(b.stream(n, members, all));
  }
  const StreamId down = b.multicast(members, ranks, all);
  for (NodeId n = 0; n < members; ++n) {
    b.step(n, all).take(down).store(Buffer::input).send_old(Buffer::input, all).push(up[static_cast<std::size_t>(n)]);
  }
  auto sum = b.step(members, all);
  for (const StreamId stream : up) sum.take(stream);
  sum.push(down);
  b.contract({.collective = Collective::allreduce, .ranks = ranks, .count = count, .to = Buffer::input});
  return std::move(b).finish();
}

}  // namespace muster::cluster
