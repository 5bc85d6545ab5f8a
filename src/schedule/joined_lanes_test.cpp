#include "schedule/joined_lanes.h"

#include <gtest/gtest.h>

#include "schedule/builder.h"
#include "schedule/interpret.h"
#include "schedule/phase.h"

namespace muster {
namespace {

constexpr Arithmetic kIntegers{ElementType::i32, Operator::sum};

/// Node 1 sends to node 0, which adds.
Schedule pair_reduce(Buffer from) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId stream = b.stream(1, 0, all);
  b.step(1, all).own(from).push(stream);
  b.step(0, all).own(from).take(stream).store(Buffer::output);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .count = 4, .from = from, .to = Buffer::output});
  return std::move(b).finish();
}

/// On four nodes: pairs (0, 1) and (2, 3), then (0, 2); in order, or without.
Schedule two_phases(bool in_order) {
  ScheduleBuilder b({.nodes = 4, .count = 4});
  const SpanId all = b.span({0, 4});
  b.phase({.part = b.part(pair_reduce(Buffer::input)),
           .groups = b.groups({{.members = {0, 1}, .on = all}, {.members = {2, 3}, .on = all}})});
  Phase second{.part = b.part(pair_reduce(Buffer::output)),
               .groups = b.groups({{.members = {0, 2}, .on = all}}),
               .input = Buffer::output};
  if (in_order) second.after = {0};
  b.phase(second);
  b.contract({.collective = Collective::reduce, .ranks = {0, 1, 2, 3}, .count = 4});
  return std::move(b).finish();
}

TEST(JoinedLanes, AreOneLaneWherePhasesFollowEachOther) {
  const Schedule joined = expand_in_lanes(two_phases(true));
  for (NodeId node = 0; node < 4; ++node) EXPECT_EQ(joined.lanes_of(node).size(), 1U) << node;
  EXPECT_EQ(joined.lanes_of(0)[0].count, 2);
  EXPECT_TRUE(joined.waits.empty());
}

TEST(JoinedLanes, ComputeTheSame) {
  const Schedule phases = two_phases(true);
  EXPECT_EQ(interpret(expand_in_lanes(phases), kIntegers, 3), interpret(expand(phases), kIntegers, 3));
}

TEST(JoinedLanes, StaySeparateWherePhasesAreConcurrent) {
  const Schedule separate = expand_in_lanes(two_phases(false));
  EXPECT_EQ(separate.lanes_of(0).size(), 2U);
  EXPECT_EQ(separate.lanes_of(1).size(), 1U);
}

}  // namespace
}  // namespace muster
