#include "schedule/builder.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace muster {
namespace {

TEST(Builder, GroupsStepsByNodeAndLaneInTheOrderOfWriting) {
  ScheduleBuilder b({.nodes = 3, .count = 4});
  const SpanId all = b.span({0, 4});
  const StepId early = b.step(2, all, 1).own(Buffer::input).store(Buffer::scratch).id();
  b.step(0, all).own(Buffer::input).store(Buffer::output);
  b.step(2, all, 0).own(Buffer::input).store(Buffer::output).after(early);
  b.step(2, all, 1).own(Buffer::scratch).store(Buffer::output);
  const Schedule s = std::move(b).finish();

  EXPECT_EQ(step_nodes(s), (std::vector<NodeId>{0, 2, 2, 2}));
  EXPECT_EQ(s.lanes_of(0).size(), 1U);
  EXPECT_EQ(s.lanes_of(1).size(), 0U);
  ASSERT_EQ(s.lanes_of(2).size(), 2U);
  EXPECT_EQ(s.lanes_of(2)[0].count, 1);
  EXPECT_EQ(s.lanes_of(2)[1].count, 2);
  const Step& waiting = s.steps[static_cast<std::size_t>(s.lanes_of(2)[0].first)];
  ASSERT_EQ(s.waits_of(waiting).size(), 1U);
  EXPECT_EQ(s.waits_of(waiting)[0], s.lanes_of(2)[1].first) << "waits follow their step to its new place";
}

TEST(Builder, KeepsTheOrderOfOperands) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId s = b.stream(1, 0, all);
  const StreamId t = b.stream(1, 0, all);
  b.step(0, all).take(t).own(Buffer::input).take(s).store(Buffer::output);
  const Schedule schedule = std::move(b).finish();
  const auto operands = schedule.operands_of(schedule.steps[0]);
  EXPECT_EQ(std::vector<StreamId>(operands.begin(), operands.end()), (std::vector<StreamId>{t, kOwn, s}));
}

TEST(Builder, ContinuingAnOlderStepIsABug) {
  ScheduleBuilder b({.nodes = 2, .count = 4});
  const SpanId all = b.span({0, 4});
  auto first = b.step(0, all).own(Buffer::input);
  b.step(1, all).own(Buffer::input);
  EXPECT_THROW(first.store(Buffer::output), InternalError);
}

TEST(Builder, WaitingForAStepThatIsNotThereIsABug) {
  for (const StepId nowhere : {-1, 1, 1'000'000}) {
    ScheduleBuilder b({.nodes = 1, .count = 4});
    b.step(0, b.span({0, 4})).own(Buffer::input).store(Buffer::output).after(nowhere);
    EXPECT_THROW((void)std::move(b).finish(), InternalError);
  }
}

TEST(Builder, StoresAStepInFewBytes) { EXPECT_LE(sizeof(Step), 48U); }

}  // namespace
}  // namespace muster
