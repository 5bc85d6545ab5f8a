#include "schedule/lane_groups.h"

#include <gtest/gtest.h>

#include "schedule/builder.h"

namespace muster {
namespace {

/// Three nodes; 0 and 1 talk in their first lanes, then 1 and 2, then 0 and 2.
TEST(LaneGroups, AreNumberedInTheOrderOfEachNodesLanes) {
  ScheduleBuilder b({.nodes = 3, .count = 4});
  const SpanId all = b.span({0, 4});
  const auto talk = [&](NodeId from, std::int32_t from_lane, NodeId to, std::int32_t to_lane) {
    const StreamId stream = b.stream(from, to, all);
    b.step(from, all, from_lane).own(Buffer::input).push(stream);
    b.step(to, all, to_lane).take(stream).store(Buffer::output);
  };
  talk(0, 0, 1, 0);
  talk(1, 1, 2, 0);
  talk(0, 1, 2, 1);
  const Schedule flat = std::move(b).finish();
  // Lanes by node: 0, 0, 1, 1, 2, 2.
  EXPECT_EQ(lane_numbers(flat, ScheduleIndex(flat)), (std::vector<std::int32_t>{0, 2, 0, 1, 1, 2}));
}

TEST(LaneGroups, AreAlikeWhereNodesDisagree) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId there = b.stream(0, 1, all), back = b.stream(1, 0, all);
  b.step(0, all, 0).own(Buffer::input).push(there);
  b.step(0, all, 1).take(back).store(Buffer::output);
  b.step(1, all, 0).own(Buffer::input).push(back);
  b.step(1, all, 1).take(there).store(Buffer::output);
  const Schedule flat = std::move(b).finish();
  EXPECT_EQ(lane_numbers(flat, ScheduleIndex(flat)), (std::vector<std::int32_t>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace muster
