#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/cluster/msccl/lift.h"
#include "backend/cluster/msccl/test_algos.h"

namespace muster::msccl {
namespace {

std::vector<Step> repeated(std::int32_t count, const Step& step) { return std::vector<Step>(at(count), step); }

std::vector<Step> joined(std::vector<Step> first, const std::vector<Step>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(Slots, AreNoneWhereEverySendMeetsAReceiveThatWaits) {
  const Slots slots = least_slots(pair_of(2, {send_step(0), receive_step(1)}, {receive_step(0), send_step(1)}));
  EXPECT_EQ(slots.least, 0);
  EXPECT_TRUE(slots.stuck.empty());
}

TEST(Slots, AreAsManyAsMessagesAreSentBeforeAnyIsTaken) {
  for (const std::int32_t messages : {1, 2, 3, 5, 31, 100}) {
    const std::vector<Step> steps = joined(repeated(messages, send_step(0)), repeated(messages, receive_step(1)));
    EXPECT_EQ(least_slots(around(3, 2, steps)).least, messages);
  }
}

TEST(Slots, CountAStepThatReceivesAndSendsAsHoldingItsMessage) {
  Step passes_on{.type = Type::receive_copy_send, .destination = {Buffer::input, 1}, .count = 1, .dependency = {}};
  // One sends, the others forward, and the first takes it back: a message is in progress, and no slot is needed for it.
  Algo algo = around(4, 2, {passes_on});
  algo.gpus[0].blocks[0].steps = {send_step(0), receive_step(1)};
  EXPECT_EQ(least_slots(algo).least, 0);
  // All send one, pass one on, and take one: who forwards has to put it beside the one that the next has not taken yet.
  EXPECT_EQ(least_slots(around(4, 2, {send_step(0), passes_on, receive_step(1)})).least, 2);
}

TEST(Slots, DoNotHelpWhereAllReceiveFirst) {
  const Slots slots = least_slots(around(6, 2, {receive_step(1), send_step(0)}));
  EXPECT_FALSE(slots.least);
  EXPECT_EQ(slots.stuck,
            "step 0 of thread block 0 of GPU 0 waits for a message from GPU 5 on channel 0; "
            "step 0 of thread block 0 of GPU 1 waits for a message from GPU 0 on channel 0; "
            "step 0 of thread block 0 of GPU 2 waits for a message from GPU 1 on channel 0; "
            "step 0 of thread block 0 of GPU 3 waits for a message from GPU 2 on channel 0; ...");
}

TEST(Slots, DoNotHelpWhereThreadBlocksWaitForEachOther) {
  Algo algo = pair_of(1, {}, {});
  algo.gpus[0].blocks.push_back({.steps = {nop_step({0, 0})}});
  algo.gpus[0].blocks[0].steps = {nop_step({1, 0}), nop_step({})};
  const Slots slots = least_slots(algo);
  EXPECT_FALSE(slots.least);
  EXPECT_EQ(slots.stuck,
            "step 0 of thread block 0 of GPU 0 waits for step 0 of thread block 1; "
            "step 0 of thread block 1 of GPU 0 waits for step 0 of thread block 0");
}

/// Around a ring, as many messages are in progress as an NPU is ahead with sending.
RC_GTEST_PROP(Slots, AreAsManyAsASenderIsAhead, ()) {
  const auto messages = *rc::gen::inRange<std::int32_t>(1, 9);
  std::vector<Step> steps;
  std::int32_t sent = 0, taken = 0, ahead = 0;
  while (sent < messages || taken < messages) {
    const bool sends = taken == messages || (sent < messages && (taken >= sent || *rc::gen::arbitrary<bool>()));
    steps.push_back(sends ? send_step(0) : receive_step(1));
    (sends ? sent : taken) += 1;
    ahead = std::max(ahead, sent - taken);
  }
  const Slots slots = least_slots(around(*rc::gen::inRange<std::int32_t>(2, 6), 2, steps));
  RC_ASSERT(slots.least.has_value());
  RC_ASSERT(*slots.least == ahead);
}

}  // namespace
}  // namespace muster::msccl
