#include "backend/hyperx/collectives.h"

#include <gtest/gtest.h>

#include <functional>

#include "backend/hyperx/test_schedules.h"

namespace muster::hyperx {
namespace {

Schedule written(std::int64_t count, const std::function<void(ScheduleBuilder&)>& write, NodeId nodes = 4) {
  ScheduleBuilder b({.nodes = nodes, .count = count});
  write(b);
  return std::move(b).finish();
}

/// The ids of the steps of a switch.
std::vector<int> ids_at(const Schedule& schedule, const Collectives& found, NodeId node) {
  std::vector<int> ids;
  for (const Lane& lane : schedule.lanes_of(node)) {
    for (StepId s = lane.first; s < lane.first + lane.count; ++s) ids.push_back(found.of_step[at(s)].id);
  }
  return ids;
}

std::string refusal(const std::function<void(ScheduleBuilder&)>& write) {
  const auto found = find_collectives(written(8, write), two_cores());
  return found.ok() ? "accepted" : found.reason();
}

TEST(Collectives, GoUpAsRequestsAndComeBackAsResponses) {
  const Schedule schedule = written(8, [](ScheduleBuilder& b) { add_pair(b, b.span({0, 8})); });
  const Collectives found = find_collectives(schedule, two_cores()).value();
  EXPECT_EQ(found.segments, (std::vector<Segment>{{.elements = {0, 8}}}));
  const StepId at_2 = schedule.lanes_of(2)[0].first, at_3 = schedule.lanes_of(3)[0].first;
  EXPECT_EQ(found.of_step[at(at_2)].from, Channel::request);
  EXPECT_EQ(found.of_step[at(at_2)].to, Channel::request);
  EXPECT_EQ(found.of_step[at(at_2 + 1)].from, Channel::response);
  EXPECT_EQ(found.of_step[at(at_2 + 1)].to, Channel::response);
  EXPECT_EQ(found.of_step[at(at_3)].from, Channel::request) << "the root turns";
  EXPECT_EQ(found.of_step[at(at_3)].to, Channel::response);
}

TEST(Collectives, OfOtherElementsAtTheSameSwitchesHaveAnotherId) {
  const Schedule schedule = written(8, [](ScheduleBuilder& b) {
    add_pair(b, b.span({0, 4}));
    add_pair(b, b.span({4, 4}), 2);
  });
  const Collectives found = find_collectives(schedule, two_cores()).value();
  ASSERT_EQ(found.segments.size(), 2U);
  EXPECT_EQ(found.segments[0].elements, (Range{0, 4}));
  EXPECT_EQ(found.segments[1].elements, (Range{4, 4}));
  EXPECT_EQ(ids_at(schedule, found, 2), (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(ids_at(schedule, found, 3), (std::vector<int>{0, 1}));
}

/// Each of four cores gets its vector back from its switch.
TEST(Collectives, ShareAnIdWhereTheyShareNoSwitch) {
  const auto echo = [](ScheduleBuilder& b, NodeId core, SpanId elements) {
    const StreamId there = b.stream(core, core + 4, elements), back = b.stream(core + 4, core, elements);
    b.step(core, elements).own(Buffer::input).push(there);
    b.step(core, elements, 1).take(back).store(Buffer::output);
    b.step(core + 4, elements).take(there).push(back);
  };
  const Schedule schedule = written(
      8,
      [&](ScheduleBuilder& b) {
        const SpanId all = b.span({0, 8}), half = b.span({0, 4});
        for (const NodeId core : {0, 1, 2}) echo(b, core, all);
        echo(b, 3, half);
      },
      8);
  const Collectives found = find_collectives(schedule, machine_of(piuma({}, 1, 2, 2))).value();
  ASSERT_EQ(found.segments.size(), 2U);
  for (const NodeId core : {0, 1, 2}) EXPECT_EQ(ids_at(schedule, found, core + 4), std::vector<int>{0});
  EXPECT_EQ(ids_at(schedule, found, 7), std::vector<int>{1}) << "it works on other elements";
}

/// Core 0 gives two vectors, and core 1 takes them in the same order or the other way round.
TEST(Collectives, AreDoneInOneOrderByAllCores) {
  const auto taken = [](bool in_order) {
    return [in_order](ScheduleBuilder& b) {
      const std::vector<SpanId> halves{b.span({0, 4}), b.span({4, 4})};
      std::vector<StreamId> arriving;
      for (std::int32_t i = 0; i < 2; ++i) {
        const SpanId half = halves[at(i)];
        const StreamId there = b.stream(0, 2, half), across = b.stream(2, 3, half);
        arriving.push_back(b.stream(3, 1, half));
        b.step(0, half).own(Buffer::input).push(there);
        b.step(2, half, i).take(there).push(across);
        b.step(3, half, i).take(across).push(arriving.back());
      }
      for (const std::int32_t i : {in_order ? 0 : 1, in_order ? 1 : 0}) {
        b.step(1, halves[at(i)]).take(arriving[at(i)]).store(Buffer::output);
      }
    };
  };
  EXPECT_EQ(refusal(taken(true)), "accepted");
  EXPECT_EQ(refusal(taken(false)), "the core 1 runs collectives in a cyclic order; registers cannot express that");
}

/// The first collective comes after all others, one after another.
TEST(Collectives, MayFollowEachOtherInALongChain) {
  constexpr std::int32_t kMany = 300'000;
  const Schedule schedule = written(1, [](ScheduleBuilder& b) {
    const SpanId all = b.span({0, 1});
    std::vector<StreamId> back;
    for (std::int32_t i = 0; i < kMany; ++i) {
      const StreamId there = b.stream(0, 2, all);
      back.push_back(b.stream(2, 0, all));
      b.step(0, all, i).own(Buffer::input).push(there);
      b.step(2, all, i).take(there).push(back.back());
    }
    for (std::int32_t i = kMany; i-- > 0;) b.step(0, all, kMany).take(back[at(i)]).store(Buffer::output);
  });
  EXPECT_EQ(find_collectives(schedule, two_cores()).reason(), "the schedule needs more than 1024 collective ids");
}

TEST(Collectives, RefuseWhatRegistersCannotExpress) {
  EXPECT_EQ(refusal([](ScheduleBuilder& b) {
              const SpanId all = b.span({0, 8});
              const StreamId there = b.stream(0, 2, all);
              b.step(0, all).own(Buffer::input).push(there);
              b.step(2, all).take(there).store(Buffer::output);
            }),
            "the switch of core 0 would have to store data; registers cannot express that");
  EXPECT_EQ(
      refusal([](ScheduleBuilder& b) {
        const SpanId all = b.span({0, 8});
        const StreamId there = b.stream(0, 3, all), back = b.stream(3, 1, all);
        b.step(0, all).own(Buffer::input).push(there);
        b.step(1, all).take(back).store(Buffer::output);
        b.step(3, all).take(there).push(back);
      }),
      "the switch of core 1 exchanges a stream with a node that it is not linked to; registers cannot express that");
  EXPECT_EQ(refusal([](ScheduleBuilder& b) {
              const SpanId all = b.span({0, 8});
              const StreamId there = b.stream(0, 2, all), back = b.stream(2, 0, all);
              b.step(0, all).own(Buffer::input).push(there);
              b.step(0, all, 1).take(back).own(Buffer::input).store(Buffer::output);
              b.step(2, all).take(there).push(back);
            }),
            "the core 0 does more than read or write a vector; registers cannot express that");
  EXPECT_EQ(refusal([](ScheduleBuilder& b) {
              const std::vector<Range> ends{{0, 2}, {6, 2}};
              add_pair(b, b.span(ends));
            }),
            "the core 0 works on scattered elements; registers cannot express that");
  EXPECT_EQ(refusal([](ScheduleBuilder& b) {
              const SpanId first = b.span({0, 4}), last = b.span({4, 4});
              const StreamId there = b.stream(0, 2, first), back = b.stream(2, 0, first);
              b.step(0, first).own(Buffer::input, last).push(there);
              b.step(0, first, 1).take(back).store(Buffer::output);
              b.step(2, first).take(there).push(back);
            }),
            "the core 0 renumbers the elements it sends; registers cannot express that");
}

}  // namespace
}  // namespace muster::hyperx
