#include "schedule/stream_ends.h"

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

std::optional<std::vector<StepId>> consumers_of(const Schedule& schedule) {
  return stream_consumers(schedule, step_nodes(schedule));
}

RC_GTEST_PROP(StreamConsumers, AreTheStepsAtTheSinks, ()) {
  std::vector<NodeId> sinks(*rc::gen::inRange<std::size_t>(1, 60));
  std::iota(sinks.begin(), sinks.end(), 1);
  if (sinks.size() <= 16) std::reverse(sinks.begin(), sinks.end());
  const auto nodes = static_cast<NodeId>(sinks.size()) + 1;
  const Schedule schedule = multicast(nodes, sinks, sinks);
  const auto found = consumers_of(schedule);
  RC_ASSERT(found.has_value());
  const std::vector<NodeId> node_of = step_nodes(schedule);
  RC_ASSERT(found->size() == sinks.size());
  for (std::size_t i = 0; i < sinks.size(); ++i) RC_ASSERT(node_of[static_cast<std::size_t>((*found)[i])] == sinks[i]);
}

TEST(StreamConsumers, AreUnknownWhereAStreamIsNotTakenOnceAtEachSink) {
  EXPECT_TRUE(consumers_of(multicast(4, {1, 2}, {1, 2})));
  EXPECT_FALSE(consumers_of(multicast(4, {1, 2}, {1}))) << "a sink does not take it";
  EXPECT_FALSE(consumers_of(multicast(4, {1, 2}, {1, 2, 2}))) << "one takes it twice";
  EXPECT_FALSE(consumers_of(multicast(4, {1, 2}, {1, 3}))) << "another node takes it";
}

TEST(StreamConsumers, AreUnknownWhereAStreamIsTakenOverAnotherSpan) {
  Schedule schedule = multicast(2, {1}, {1});
  schedule.steps.back().elements = schedule.spans.add({0, 3});
  EXPECT_FALSE(consumers_of(schedule));
}

}  // namespace
}  // namespace muster
