#include "backend/wafer/control_payload.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster::wafer {
namespace {

constexpr Command kAdvance = Command::advance;
constexpr Command kNop = Command::nop;

TEST(ControlPayload, HasTheCommandsOfTheFirstRoutersOnBits22To29AndTheOthersOnBits0To15) {
  constexpr std::uint32_t kNowhere = 0x091f9249;  // no command, no task, and never to a processor
  EXPECT_EQ(control_payload(command_list({kNop})), kNowhere);
  EXPECT_EQ(control_payload(command_list({kAdvance})), kNowhere | 1U << 22U);
  EXPECT_EQ(control_payload(command_list({kNop, kAdvance})), kNowhere | 1U << 25U);
  EXPECT_EQ(control_payload(command_list({kNop, kNop, kAdvance})), kNowhere | 1U << 28U);
  EXPECT_EQ(control_payload(command_list({kNop, kNop, kNop, kAdvance})), kNowhere | 1U << 1U);
}

TEST(ControlPayload, IsNoListIfItHasOtherCommandsTasksOrProcessors) {
  const std::uint32_t payload = control_payload(command_list({kAdvance}));
  EXPECT_TRUE(commands_of(payload));
  EXPECT_FALSE(commands_of(payload ^ 1U << 23U));  // teardown
  EXPECT_FALSE(commands_of(payload ^ 1U << 24U));  // to the processor
  EXPECT_FALSE(commands_of(payload ^ 1U << 16U));  // task 30
  EXPECT_FALSE(commands_of(payload | 1U << 31U));
}

RC_GTEST_PROP(ControlPayload, IsReadBackWithoutNopsAtItsEnd, ()) {
  CommandList list = 0;
  CommandList shortest = 0;
  for (int i = *rc::gen::inRange(1, kMostCommands + 1); i > 0; --i) {
    list = with_command(list, *rc::gen::element(kAdvance, kNop));
    if (shortest == 0 || command_at(list, count_of(list) - 1) == kAdvance) shortest = list;
  }
  RC_ASSERT(commands_of(control_payload(list)) == std::optional(shortest));
}

}  // namespace
}  // namespace muster::wafer
