#include "schedule/rounds.h"

#include <gtest/gtest.h>

#include <array>

#include "schedule/builder.h"

namespace muster {
namespace {

TEST(Rounds, OfAChainAreItsHopsAndItsWordsLeaveOneAfterAnother) {
  ScheduleBuilder b({.nodes = 3, .count = 8});
  const SpanId all = b.span({0, 8});
  const StreamId s = b.stream(2, 1, all), t = b.stream(1, 0, all);
  b.step(2, all).own(Buffer::input).push(s);
  b.step(1, all).take(s).own(Buffer::input).push(t);
  b.step(0, all).take(t).own(Buffer::input).store(Buffer::output);
  const Rounds rounds = rounds_of(std::move(b).finish());
  EXPECT_EQ(rounds.count, 2);
  EXPECT_EQ(rounds.words, 16);
  EXPECT_EQ(rounds.sent, 16);
}

TEST(Rounds, OfAnExchangeIsOne) {
  ScheduleBuilder b({.nodes = 2, .count = 8});
  const SpanId low = b.span({0, 4}), high = b.span({4, 4});
  const StreamId s = b.stream(0, 1, high), t = b.stream(1, 0, low);
  b.step(0, low).own(Buffer::input).take(t).store(Buffer::input).send_old(Buffer::input, high).push(s);
  b.step(1, high).own(Buffer::input).take(s).store(Buffer::input).send_old(Buffer::input, low).push(t);
  const Rounds rounds = rounds_of(std::move(b).finish());
  EXPECT_EQ(rounds.count, 1);
  EXPECT_EQ(rounds.words, 4);
  EXPECT_EQ(rounds.sent, 8);
}

TEST(Rounds, CountAMulticastOncePerSink) {
  ScheduleBuilder b({.nodes = 3, .count = 5});
  const SpanId all = b.span({0, 5});
  const std::array<NodeId, 2> others{1, 2};
  const StreamId s = b.multicast(0, others, all);
  b.step(0, all).own(Buffer::input).push(s);
  for (const NodeId n : others) b.step(n, all).take(s).store(Buffer::output);
  const Rounds rounds = rounds_of(std::move(b).finish());
  EXPECT_EQ(rounds.count, 1);
  EXPECT_EQ(rounds.words, 10);
}

}  // namespace
}  // namespace muster
