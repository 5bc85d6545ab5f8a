// Messages that are taken in parts, and messages that wait for each other for lack of space: programs by hand.
#include <gtest/gtest.h>

#include "backend/wafer/stream/trace.h"
#include "backend/wafer/test_programs.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

using test::from_to, test::HandMade, test::route;

constexpr auto kEast = Direction::east, kWest = Direction::west, kRamp = Direction::ramp;

TEST(Checks, FollowMessagesThatAreTakenInParts) {
  // 12 words: as one message that is taken in parts of 5 and 7, and as parts of 5 and 7 that are taken at once.
  for (const bool sender : {false, true}) {
    HandMade program(2, 12);
    program.routes(0, route({from_to(kEast, kRamp)})).routes(1, route({from_to(kRamp, kWest)}));
    const auto in_parts = [&](std::size_t x) {
      for (const Range part : {Range{0, 5}, Range{5, 7}}) x == 0 ? program.takes(0, 0, part) : program.sends(1, part);
    };
    if (sender) {
      program.takes(0);
      in_parts(1);
    } else {
      in_parts(0);
      program.sends(1);
    }
    const ProgramCheck check = check_messages(program.program());
    EXPECT_EQ(check.unsupported, "");
    EXPECT_FALSE(check.counterexample()) << check.counterexample()->message;
    EXPECT_FALSE(program.run().fault);

    program.takes(0, 0, Range{0, 3});
    const auto extra = check_program(program.program());
    ASSERT_TRUE(extra);
    EXPECT_EQ(extra->location, "PE (0,0), color 5");
    EXPECT_NE(extra->message.find("waits for 3 words, of which 0 have come, and no more will be sent"),
              std::string::npos);
    EXPECT_TRUE(program.run().fault);
  }
}

TEST(Checks, FindTheRestOfAMessageThatNobodyTakes) {
  HandMade program(2, 12);
  program.routes(0, route({from_to(kEast, kRamp)}))
      .routes(1, route({from_to(kRamp, kWest)}))
      .takes(0, 0, Range{0, 5})
      .sends(1);
  const auto fault = check_program(program.program());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "left over");
  EXPECT_EQ(fault->message,
            "PE (0,0), color 5: the last 7 words of message 1 of PE (1,0) (12 words) wait at the processor");
}

TEST(Checks, LetAnOperationPassOnAPartWhereTheRestDependsOnIt) {
  // PE 0 passes 8 words back as they come; PE 1 has sent 4 and makes the next 4 of those that come back.
  HandMade program(2, 8);
  program.colors({5, 7})
      .routes(0, route({from_to(kEast, kRamp)}))
      .routes(0, route({from_to(kRamp, kEast)}, 1))
      .routes(1, route({from_to(kRamp, kWest)}))
      .routes(1, route({from_to(kWest, kRamp)}, 1))
      .takes(0)
      .also_sends(0, {1, Ending::nothing})
      .sends(1, Range{0, 4})
      .takes(1, 1, Range{0, 4})
      .also_sends(1, {0, Ending::nothing})
      .takes(1, 1, Range{4, 4});
  const auto fault = check_program(program.program());
  EXPECT_FALSE(fault) << fault->message;
  EXPECT_FALSE(program.run().fault);
}

/// Two PEs that both send and then take.
WaferProgram both_send_first(std::int64_t words) {
  HandMade program(2, words);
  program.colors({5, 7})
      .routes(0, route({from_to(kRamp, kEast)}))
      .routes(0, route({from_to(kEast, kRamp)}, 1))
      .routes(1, route({from_to(kWest, kRamp)}))
      .routes(1, route({from_to(kRamp, kWest)}, 1))
      .sends(0)
      .takes(0, 1)
      .sends(1)
      .takes(1, 0);
  WaferProgram made = program.program();
  made.classes[1].operations[0].outputs = {{1, Ending::nothing}};
  return made;
}

TEST(Checks, FindACycleOfMessagesThatDoNotFitTogether) {
  // 6 words fit, but not twice: PE 0 cannot send the second vector before PE 1 has taken the first.
  WaferProgram program = both_send_first(6);
  for (ProcessorClass& c : program.classes) c.operations[0].times = c.operations[1].times = 2;
  const auto fault = check_program(program);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "wait-cycle");
  EXPECT_TRUE(simulate(program, {}).fault);
}

TEST(Checks, FindACycleOfMessagesThatDoNotFitOnTheirPaths) {
  // Two routers with 2 slots, two ramps of 2 cycles, a queue of 2.
  EXPECT_FALSE(check_program(both_send_first(10)));
  EXPECT_FALSE(simulate(both_send_first(10), {}).fault);
  const auto fault = check_program(both_send_first(11));
  ASSERT_TRUE(fault);
  EXPECT_TRUE(simulate(both_send_first(11), {}).fault);
  EXPECT_EQ(fault->kind, "wait-cycle");
  EXPECT_EQ(fault->location, "PE (1,0)");
  EXPECT_EQ(fault->message,
            "operation 1 of PE (1,0) waits for the end of operation 0 of PE (1,0)\n"
            "operation 0 of PE (1,0) waits for what operation 0 of PE (1,0) sends on color 7 (11 words)\n"
            "what operation 0 of PE (1,0) sends on color 7 (11 words) waits for operation 1 of PE (0,0)\n"
            "operation 1 of PE (0,0) waits for the end of operation 0 of PE (0,0)\n"
            "operation 0 of PE (0,0) waits for what operation 0 of PE (0,0) sends on color 5 (11 words)\n"
            "what operation 0 of PE (0,0) sends on color 5 (11 words) waits for operation 1 of PE (1,0)");
}

}  // namespace
}  // namespace muster::wafer
