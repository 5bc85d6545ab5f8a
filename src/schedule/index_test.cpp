#include "schedule/index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "schedule/builder.h"

namespace muster {
namespace {

/// Node 0 sends to `sinks`; `takers` take it.
Schedule multicast(NodeId nodes, const std::vector<NodeId>& sinks, const std::vector<NodeId>& takers) {
  ScheduleBuilder b({.nodes = nodes, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId stream = b.multicast(0, sinks, all);
  b.step(0, all).own(Buffer::input).push(stream);
  for (const NodeId node : takers) b.step(node, all).take(stream).store(Buffer::output);
  return std::move(b).finish();
}

bool each_sink_takes(const Schedule& schedule) { return ScheduleIndex(schedule).each_sink_takes(schedule, 0); }

RC_GTEST_PROP(ScheduleIndex, ListsTheStepsThatTakeAStreamByNode, ()) {
  std::vector<NodeId> sinks(*rc::gen::inRange<std::size_t>(1, 60));
  std::iota(sinks.begin(), sinks.end(), 1);
  if (*rc::gen::arbitrary<bool>()) std::reverse(sinks.begin(), sinks.end());
  const auto nodes = static_cast<NodeId>(sinks.size()) + 1;
  const Schedule schedule = multicast(nodes, sinks, sinks);
  const ScheduleIndex index(schedule);
  RC_ASSERT(index.producer == std::vector<StepId>{0});
  RC_ASSERT(index.each_sink_takes(schedule, 0));
  const auto takers = index.takers.of(0);
  RC_ASSERT(takers.size() == sinks.size());
  for (std::size_t i = 0; i < takers.size(); ++i) RC_ASSERT(index.node_of[at(takers[i])] == static_cast<NodeId>(i) + 1);
}

TEST(ScheduleIndex, SeesWhetherEachSinkTakesAStreamOnce) {
  EXPECT_TRUE(each_sink_takes(multicast(4, {1, 2}, {1, 2})));
  EXPECT_TRUE(each_sink_takes(multicast(4, {2, 1}, {1, 2})));
  EXPECT_FALSE(each_sink_takes(multicast(4, {1, 2}, {1}))) << "a sink does not take it";
  EXPECT_FALSE(each_sink_takes(multicast(4, {1, 2}, {1, 2, 2}))) << "one takes it twice";
  EXPECT_FALSE(each_sink_takes(multicast(4, {1, 2}, {1, 3}))) << "another node takes it";
  EXPECT_FALSE(each_sink_takes(multicast(4, {1}, {3}))) << "another node takes it";
}

TEST(ScheduleIndex, KnowsLanesAndWaits) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  const auto copy = [&](NodeId node, int lane) {
    return b.step(node, all, lane).own(Buffer::input).store(lane == 0 ? Buffer::output : Buffer::scratch);
  };
  const auto first = copy(0, 0).id();
  copy(0, 0);
  copy(0, 1).after(first);
  copy(0, 1).after(first);
  copy(1, 0);
  const Schedule schedule = std::move(b).finish();
  const ScheduleIndex index(schedule);
  EXPECT_EQ(index.lane_of, (std::vector<std::int32_t>{0, 0, 1, 1, 2}));
  EXPECT_EQ(index.node_of, (std::vector<NodeId>{0, 0, 0, 0, 1}));
  EXPECT_EQ(index.before(0), kNoStep);
  EXPECT_EQ(index.before(1), 0);
  EXPECT_EQ(index.before(2), kNoStep);
  EXPECT_EQ(index.behind(0), 1);
  EXPECT_EQ(index.behind(1), kNoStep);
  EXPECT_EQ(index.behind(4), kNoStep);
  const Adjacency waiting = waiting_steps(schedule);
  EXPECT_EQ(waiting.of(0).size(), 2U);
  EXPECT_EQ(waiting.of(0)[0], 2);
  EXPECT_TRUE(waiting.of(1).empty());
}

}  // namespace
}  // namespace muster
