// Faults that the simulator must find: programs written by hand, each wrong in one way.
#include <gtest/gtest.h>

#include "backend/wafer/test_programs.h"

namespace muster::wafer {
namespace {

using test::from_to, test::HandMade, test::route;

constexpr auto kEast = Direction::east, kWest = Direction::west, kRamp = Direction::ramp;

TEST(Faults, AreAbsentFromARightProgram) {
  const Result result = HandMade(2)
                            .routes(0, route({from_to(kEast, kRamp)}))
                            .routes(1, route({from_to(kRamp, kWest)}))
                            .takes(0)
                            .sends(1)
                            .run();
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.hops, 4);
}

TEST(Faults, IncludeTwoInputsInOneCycle) {
  const Result result = HandMade(3)
                            .routes(0, route({from_to(kRamp, kEast)}))
                            .routes(1, route({{static_cast<Directions>(set_of(kEast) | set_of(kWest)), set_of(kRamp)}}))
                            .routes(2, route({from_to(kRamp, kWest)}))
                            .sends(0)
                            .takes(1)
                            .takes(1)
                            .sends(2)
                            .run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "two inputs");
  EXPECT_EQ(result.fault->location, "PE (1,0), color 5");
  EXPECT_EQ(result.fault->cycle, Cycles(3));  // issued at 0, in the own router at 2, here at 3
  EXPECT_EQ(result.fault->message, "wavelets from east and west arrive in one cycle on one color");
  EXPECT_FALSE(result.cycles);
}

TEST(Faults, IncludeAWaveletWithoutARoute) {
  const Result off_the_edge = HandMade(2).routes(0, route({from_to(kRamp, kWest)})).sends(0).run();
  ASSERT_TRUE(off_the_edge.fault);
  EXPECT_EQ(off_the_edge.fault->kind, "no route");
  EXPECT_EQ(off_the_edge.fault->location, "PE (0,0), color 5");
  EXPECT_EQ(off_the_edge.fault->cycle, Cycles(2));

  const Result no_color = HandMade(2).routes(1, route({from_to(kRamp, kWest)})).sends(1).run();
  ASSERT_TRUE(no_color.fault);
  EXPECT_EQ(no_color.fault->kind, "no route");
  EXPECT_EQ(no_color.fault->location, "PE (1,0), color 5");

  const Result no_ramp = HandMade(2).routes(1, route({from_to(kEast, kWest)})).sends(1).run();
  ASSERT_TRUE(no_ramp.fault);
  EXPECT_EQ(no_ramp.fault->kind, "no route");
  EXPECT_EQ(no_ramp.fault->cycle, Cycles(0));
}

TEST(Faults, IncludeADeadlock) {
  // PE 1 relays first and never turns to its own vector: no one sends what it waits for.
  const Result result = HandMade(3)
                            .routes(0, route({from_to(kEast, kRamp)}))
                            .routes(1, route({from_to(kEast, kWest), from_to(kRamp, kWest)}))
                            .routes(2, route({from_to(kRamp, kWest)}))
                            .takes(0)
                            .takes(0)
                            .sends(1)
                            .sends(2)
                            .run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "deadlock");
  EXPECT_EQ(result.fault->location, "PE (0,0)");
  EXPECT_EQ(result.fault->cycle, Cycles(10));  // in cycle 9 the last element from two hops away is stored
  EXPECT_NE(result.fault->message.find("PE (0,0): operation 1 at element 0 of 4 waits for color 5"), std::string::npos)
      << result.fault->message;
  EXPECT_NE(result.fault->message.find(
                "PE (1,0), color 5: data from ramp waits; position 0 accepts from east and sends to west"),
            std::string::npos)
      << result.fault->message;
}

TEST(Faults, IncludeDataLeftOver) {
  const Result result = HandMade(2)
                            .routes(0, route({from_to(kEast, kRamp)}))
                            .routes(1, route({from_to(kRamp, kWest)}))
                            .takes(0)
                            .sends(1)
                            .sends(1)
                            .run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "left over");
  EXPECT_EQ(result.fault->location, "PE (0,0)");
  EXPECT_NE(result.fault->message.find("PE (0,0), color 5: 4 wavelets wait at the processor"), std::string::npos)
      << result.fault->message;
}

TEST(Faults, IncludeAResetThatOvertakes) {
  const Result result = HandMade(2)
                            .routes(0, route({from_to(kEast, kRamp), {set_of(kEast), set_of(kRamp)}}))
                            .routes(1, route({from_to(kRamp, kWest)}))
                            .takes(0)
                            .sends(1)
                            .sends_only(1, Ending::reset)
                            .run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "reset out of order");
  EXPECT_EQ(result.fault->location, "PE (0,0), color 5");
  EXPECT_EQ(result.fault->cycle, Cycles(7));
}

TEST(Faults, IncludeGivingUp) {
  const Result result = HandMade(2)
                            .routes(0, route({from_to(kEast, kRamp)}))
                            .routes(1, route({from_to(kRamp, kWest)}))
                            .takes(0)
                            .sends(1)
                            .run(3);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "gave up");
  EXPECT_EQ(result.fault->cycle, Cycles(3));
}

TEST(Faults, IncludeASwitchThatIsNotBackInItsFirstPosition) {
  const auto star = [](bool resets) {
    HandMade program(3);
    program.routes(0, route({from_to(kEast, kRamp)}))
        .routes(1, route({from_to(kRamp, kWest), from_to(kEast, kWest)}))
        .routes(2, route({from_to(kRamp, kWest)}))
        .takes(0)
        .takes(0)
        .sends(1, Ending::advance_own)
        .sends(2);
    if (resets) program.sends_only(2, Ending::reset);
    return program.run();
  };
  EXPECT_FALSE(star(true).fault);
  const Result left = star(false);
  ASSERT_TRUE(left.fault);
  EXPECT_EQ(left.fault->kind, "switch");
  EXPECT_EQ(left.fault->location, "PE (1,0), color 5");
  EXPECT_EQ(left.fault->message, "left in position 1; the next call needs position 0");
  EXPECT_FALSE(left.cycles);
}

TEST(Switches, StayInTheirLastPositionWhenTheyAreToAdvance) {
  const Result result = HandMade(3)
                            .routes(0, route({from_to(kEast, kRamp)}))
                            .routes(1, route({from_to(kRamp, kWest), from_to(kEast, kWest)}))
                            .routes(2, route({from_to(kRamp, kWest)}))
                            .takes(0)
                            .takes(0)
                            .takes(0)
                            .sends(1, Ending::advance_own)
                            .sends(2, Ending::advance)
                            .sends(2)
                            .sends_only(2, Ending::reset)
                            .run();
  EXPECT_FALSE(result.fault) << result.fault->message;
}

TEST(Switches, AreCommandedOnOneColorWhileAnotherIsFull) {
  // PE 1 sends to both sides. PE 2 takes that only after a vector of PE 0, which needs PE 1's ADVANCE to pass; by then
  // all 10 wavelets that the way to PE 2 can hold are on it.
  HandMade program(3, 10);
  program.colors({5, 6})
      .routes(0, route({from_to(kEast, kRamp), from_to(kRamp, kEast)}))
      .routes(1, route({from_to(kRamp, kWest), from_to(kWest, kEast)}))
      .routes(1, route({from_to(kRamp, kEast)}, 1))
      .routes(2, route({from_to(kWest, kRamp)}))
      .routes(2, route({from_to(kWest, kRamp)}, 1))
      .takes(0)
      .sends(0)
      .sends_only(0, Ending::reset)
      .sends(1, Ending::advance)
      .also_sends(1, {1, Ending::nothing})
      .takes(2)
      .takes(2, 1);
  const Result result = program.run();
  EXPECT_FALSE(result.fault) << result.fault->message;
}

}  // namespace
}  // namespace muster::wafer
