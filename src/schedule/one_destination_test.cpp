// One destination per step: the same data in more passes.
#include "schedule/one_destination.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>

#include "machine/families.h"
#include "schedule/builder.h"
#include "schedule/interpret.h"
#include "schedule/verify.h"

namespace muster {
namespace {

Machine row(std::int32_t size) {
  Mesh mesh;
  mesh.width = mesh.max_width = size;
  mesh.height = mesh.max_height = 1;
  return {.name = "row", .network = mesh};
}

std::vector<NodeId> ranks(NodeId count) {
  std::vector<NodeId> all;
  for (NodeId node = 0; node < count; ++node) all.push_back(node);
  return all;
}

/// From rank to rank; each stores what it forwards. The first keeps its own.
Schedule relayed_broadcast(NodeId size, std::int64_t count, bool in_place) {
  const Buffer to = in_place ? Buffer::input : Buffer::output;
  ScheduleBuilder b({.nodes = size, .count = count});
  const SpanId all = b.span({0, count});
  StreamId stream = b.stream(0, 1, all);
  b.step(0, all).own(Buffer::input).store(to).push(stream);
  for (NodeId node = 1; node < size; ++node) {
    auto step = b.step(node, all).take(stream).store(to);
    if (node + 1 < size) step.push(stream = b.stream(node, node + 1, all));
  }
  b.contract({.collective = Collective::broadcast, .ranks = ranks(size), .root = 0, .count = count, .to = to});
  return std::move(b).finish();
}

TEST(OneDestination, StoresBeforeItSendsOnAndSendsBeforeItCopies) {
  const auto split = with_one_destination(relayed_broadcast(3, 8, false));
  ASSERT_TRUE(split);
  ASSERT_EQ(split->steps.size(), 5U);
  EXPECT_EQ(split->steps[0].store, Buffer::none);    // PE 0 sends ...
  EXPECT_EQ(split->steps[1].store, Buffer::output);  // ... and copies
  EXPECT_EQ(split->steps[2].outputs.count, 0);       // PE 1 stores ...
  EXPECT_EQ(split->steps[3].own, Buffer::output);    // ... and sends that
  EXPECT_FALSE(with_one_destination(*split));
}

TEST(OneDestination, CopiesNothingThatLiesInPlace) {
  const auto split = with_one_destination(relayed_broadcast(3, 8, true));
  ASSERT_TRUE(split);
  EXPECT_EQ(split->steps.size(), 4U);
}

TEST(OneDestination, WhatWaitedForAStepWaitsForItsLastPart) {
  ScheduleBuilder b({.nodes = 2, .count = 4, .scratch = 4});
  const SpanId all = b.span({0, 4});
  const StreamId stream = b.stream(0, 1, all);
  const auto first = b.step(0, all, 0).own(Buffer::input).push(stream).store(Buffer::output);
  b.step(0, all, 1).own(Buffer::output).store(Buffer::scratch).after(first);
  b.step(1, all).take(stream).store(Buffer::output);
  const auto split = with_one_destination(std::move(b).finish());
  ASSERT_TRUE(split);
  ASSERT_EQ(split->steps.size(), 4U);
  EXPECT_EQ(split->waits_of(split->steps[2])[0], 1);
}

TEST(OneDestination, LeavesAloneWhatHasOneAlready) {
  ScheduleBuilder b({.nodes = 3, .count = 8});
  const SpanId all = b.span({0, 8});
  const StreamId s = b.stream(2, 1, all), t = b.stream(1, 0, all);
  b.step(2, all).own(Buffer::input).push(s);
  b.step(1, all).take(s).own(Buffer::input).push(t);
  b.step(0, all).take(t).own(Buffer::input).store(Buffer::output);
  EXPECT_FALSE(with_one_destination(std::move(b).finish()));
}

RC_GTEST_PROP(OneDestination, ComputesTheSameAndIsVerified, ()) {
  const auto size = *rc::gen::inRange<NodeId>(2, 7);
  const auto count = *rc::gen::inRange<std::int64_t>(1, 40);
  const Schedule multicast = relayed_broadcast(size, count, *rc::gen::arbitrary<bool>());
  const auto split = with_one_destination(multicast);
  RC_ASSERT(split.has_value());
  const Verdict verdict = verify(*split, row(size));
  if (verdict.counterexample) RC_FAIL(verdict.counterexample->message);
  RC_ASSERT(!find_wait_cycle(*split, row(size)));
  const Arithmetic integers{.type = ElementType::i32, .op = Operator::sum};
  RC_ASSERT(interpret(multicast, integers, 5) == interpret(*split, integers, 5));
}

}  // namespace
}  // namespace muster
