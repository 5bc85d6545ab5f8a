#include "backend/hyperx/host_program.h"

#include <gtest/gtest.h>

#include "backend/hyperx/test_schedules.h"
#include "machine/hyperx.h"

namespace muster::hyperx {
namespace {

std::string refusal(ScheduleBuilder b, Machine machine = two_cores()) {
  const auto program = lower_for_hosts(std::move(b).finish(), machine, {});
  return program.ok() ? "accepted" : program.reason();
}

TEST(HostProgram, IsOneWhereNoSwitchDoesAnything) {
  EXPECT_TRUE(is_for_hosts(exchange_of_two(4), two_cores()));
  ScheduleBuilder b({.nodes = 4, .count = 4});
  add_pair(b, b.span({0, 4}));
  EXPECT_FALSE(is_for_hosts(std::move(b).finish(), two_cores()));
}

TEST(HostProgram, SaysWhatItIs) {
  const auto program = lower_for_hosts(exchange_of_two(4), two_cores(), {.arithmetic = {.op = Operator::min}});
  ASSERT_TRUE(program.ok()) << program.reason();
  EXPECT_EQ(program.value()->summary(), "2 steps of 2 cores, in rounds\n");
  const ProgramFacts facts = program.value()->facts();
  EXPECT_EQ(facts.ranks, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(facts.words, 4);
  EXPECT_EQ(facts.arithmetic.op, Operator::min);
}

TEST(HostProgram, NeedsToKnowWhatARoundTakes) {
  HyperX network = piuma({}, 1, 2, 1);
  network.host.reset();
  EXPECT_EQ(lower_for_hosts(exchange_of_two(4), machine_of(network), {}).reason(),
            "switches has no [host] table with the cost of a round of messages");
}

TEST(HostProgram, TakesOneMessageAtATime) {
  ScheduleBuilder b({.nodes = 3, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId left = b.stream(0, 1, all), right = b.stream(2, 1, all);
  b.step(0, all).own(Buffer::input).push(left);
  b.step(1, all).take(left).take(right).store(Buffer::output);
  b.step(2, all).own(Buffer::input).push(right);
  EXPECT_EQ(refusal(std::move(b), machine_of(piuma({}, 1, 3, 1))),
            "core 1 receives 2 messages in one step; cores receive one at a time");
}

TEST(HostProgram, SendsOnlyWhatACoreHolds) {
  ScheduleBuilder b({.nodes = 3, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId first = b.stream(0, 1, all), second = b.stream(1, 2, all);
  b.step(0, all).own(Buffer::input).push(first);
  b.step(1, all).take(first).push(second);
  b.step(2, all).take(second).store(Buffer::output);
  EXPECT_EQ(refusal(std::move(b), machine_of(piuma({}, 1, 3, 1))),
            "core 1 forwards elements while receiving them; cores send only what they have stored");
}

TEST(HostProgram, SendsAMessageToOneCore) {
  ScheduleBuilder b({.nodes = 3, .count = 4});
  const SpanId all = b.span({0, 4});
  const StreamId both = b.multicast(0, std::vector<NodeId>{1, 2}, all);
  b.step(0, all).own(Buffer::input).push(both);
  b.step(1, all).take(both).store(Buffer::output);
  b.step(2, all).take(both).store(Buffer::output);
  EXPECT_EQ(refusal(std::move(b), machine_of(piuma({}, 1, 3, 1))),
            "core 0 sends one message to 2 cores; cores send to one at a time");
}

}  // namespace
}  // namespace muster::hyperx
