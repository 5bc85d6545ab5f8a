// Parts of phases for tests.
#pragma once

#include <utility>

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

}  // namespace muster::cluster
