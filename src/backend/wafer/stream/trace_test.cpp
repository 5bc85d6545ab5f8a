// The trace of messages, and the checks on it: programs by hand, each wrong in one way.
#include "backend/wafer/stream/trace.h"

#include <gtest/gtest.h>

#include "backend/wafer/test_programs.h"
#include "base/index.h"

namespace muster::wafer {
namespace {

using test::from_to, test::HandMade, test::route;

constexpr auto kEast = Direction::east, kWest = Direction::west, kRamp = Direction::ramp;

HandMade right_star() {
  HandMade program(3);
  program.routes(0, route({from_to(kEast, kRamp)}))
      .routes(1, route({from_to(kRamp, kWest), from_to(kEast, kWest)}))
      .routes(2, route({from_to(kRamp, kWest)}))
      .takes(0)
      .takes(0)
      .sends(1, Ending::advance_own)
      .sends(2)
      .sends_only(2, Ending::reset);
  return program;
}

TEST(Trace, ListsTheRoutersOfEveryMessageInTheOrderOfPassing) {
  const HandMade star = right_star();
  const Cells cells(star.program());
  const Trace trace = trace_messages(cells, 1);
  ASSERT_FALSE(trace.fault) << trace.fault->message;
  EXPECT_EQ(trace.messages.size(), 3U);  // two vectors and a reset
  EXPECT_EQ(trace.transits.size(), 2U + 3U + 3U);
  EXPECT_EQ(trace.executions.size(), 5U);
  EXPECT_EQ(trace.order.size(), trace.transits.size() + trace.executions.size());

  std::vector<NodeId> senders;  // at the root's router
  for (std::int32_t t = trace.takes.front(); t != kNone; t = trace.transits[at(t)].after) {
    senders.push_back(trace.executions[at(trace.messages[at(trace.transits[at(t)].message)].execution)].node);
  }
  EXPECT_EQ(senders, (std::vector<NodeId>{1, 2, 2}));
}

TEST(Trace, PutsEveryTransitBehindTheOneThatItComesFrom) {
  const auto lowered = lower(test::reduce_row(test::binary_tree(13), 5), test::wafer(13), {});
  ASSERT_TRUE(lowered.ok());
  const Cells cells(*lowered.value());
  const Trace trace = trace_messages(cells, 3);
  ASSERT_FALSE(trace.fault) << trace.fault->message;
  for (const Transit& t : trace.transits) {
    if (t.parent != kNone) {
      EXPECT_LT(trace.transits[at(t.parent)].order, t.order);
    }
    if (t.before != kNone) {
      EXPECT_LT(trace.transits[at(t.before)].order, t.order);
    }
    if (t.taker != kNone) {
      EXPECT_GT(trace.executions[at(t.taker)].order, t.order);
    }
  }
  EXPECT_EQ(trace.takes.size(), 3U * 12U);
}

TEST(Checks, AcceptWhatLoweringMakes) {
  for (const auto& tree : {test::star_tree(9), test::chain_tree(9), test::binary_tree(9), test::two_phase_tree(9, 3)}) {
    const auto lowered = lower(test::reduce_row(tree, 6), test::wafer(9), {});
    ASSERT_TRUE(lowered.ok());
    const auto fault = check_program(*lowered.value());
    EXPECT_FALSE(fault) << fault->kind << ": " << fault->message;
  }
  const auto flood = lower(test::flood(12, 5, 4), test::wafer(4, 3), {});
  ASSERT_TRUE(flood.ok());
  EXPECT_FALSE(check_program(*flood.value()));
  EXPECT_FALSE(check_program(right_star().program()));
}

TEST(Trace, OfAProgramCountsItsMessagesAndItsFaultsHaveNoCycle) {
  EXPECT_GT(check_messages(right_star().program()).messages, 0);
  const ProgramCheck left = check_messages(HandMade(2)
                                               .routes(0, route({from_to(kEast, kRamp)}))
                                               .routes(1, route({from_to(kRamp, kWest)}))
                                               .takes(0)
                                               .sends(1)
                                               .sends(1)
                                               .program());
  EXPECT_EQ(left.messages, 2);
  ASSERT_TRUE(left.fault);
  EXPECT_TRUE(left.fault->before_running);
}

TEST(Checks, FindTwoInputsOnOneColor) {
  const auto fault =
      check_program(HandMade(3)
                        .routes(0, route({from_to(kRamp, kEast)}))
                        .routes(1, route({{static_cast<Directions>(set_of(kEast) | set_of(kWest)), set_of(kRamp)}}))
                        .routes(2, route({from_to(kRamp, kWest)}))
                        .sends(0)
                        .takes(1)
                        .takes(1)
                        .sends(2)
                        .program());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "two inputs");
  EXPECT_EQ(fault->location, "PE (1,0), color 5");
  EXPECT_EQ(fault->message,
            "position 0 accepts both inputs: message 1 of PE (2,0) (4 words) from east and message 1 of PE (0,0) "
            "(4 words) from west can arrive in one cycle");
}

TEST(Checks, FindAPositionWithTwoSidesHarmlessWhereOnlyOneIsUsed) {
  EXPECT_FALSE(
      check_program(HandMade(2)
                        .routes(0, route({{static_cast<Directions>(set_of(kEast) | set_of(kWest)), set_of(kRamp)}}))
                        .routes(1, route({from_to(kRamp, kWest)}))
                        .takes(0)
                        .sends(1)
                        .program()));
}

TEST(Checks, FindMessagesThatWaitForEachOtherOnOneColor) {
  const auto fault = check_program(HandMade(3)
                                       .routes(0, route({from_to(kEast, kRamp)}))
                                       .routes(1, route({from_to(kEast, kWest), from_to(kRamp, kWest)}))
                                       .routes(2, route({from_to(kRamp, kWest)}))
                                       .takes(0)
                                       .takes(0)
                                       .sends(1)
                                       .sends(2)
                                       .program());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "deadlock");
  EXPECT_EQ(fault->location, "PE (1,0), color 5");
  EXPECT_EQ(fault->message,
            "PE (1,0), color 5: message 1 of PE (1,0) (4 words) from ramp waits; position 0 accepts from east and "
            "sends to west, and nothing more will come from there\n"
            "PE (0,0), color 5: operation 1 waits for 4 words, of which 0 have come");
}

TEST(Checks, FindAnAdvanceThatMovesASwitchTooEarly) {
  // PE 2's advance is meant for PE 0; it passes PE 1, whose own vector has not left.
  const auto fault = check_program(HandMade(4)
                                       .routes(0, route({from_to(kEast, kRamp)}))
                                       .routes(1, route({from_to(kEast, kWest), from_to(kRamp, kWest)}))
                                       .routes(2, route({from_to(kRamp, kWest), from_to(kEast, kWest)}))
                                       .routes(3, route({from_to(kRamp, kWest)}))
                                       .takes(0)
                                       .takes(0)
                                       .takes(0)
                                       .sends(1)
                                       .sends(2, Ending::advance)
                                       .sends(3)
                                       .program());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "overshoot");
  EXPECT_EQ(fault->location, "PE (1,0), color 5");
  EXPECT_EQ(fault->message,
            "the advance of message 1 of PE (2,0) (4 words and an advance) has moved this switch from position 0 to 1, "
            "and message 1 of PE (3,0) (4 words) from east still needs position 0");
}

TEST(Checks, FindATurnaroundOfTwoAdvancesThatGoesPastItsReceiver) {
  // PE 2 sends to PE 1 and then turns PE 1's router by two advances. The second follows the route that the first has
  // opened, to PE 0, whose switch was not to move.
  HandMade program(3);
  program.routes(0, route({from_to(kEast, kRamp), from_to(kRamp, kEast)}))
      .routes(1, route({from_to(kEast, kRamp), from_to(kEast, kWest), from_to(kWest, kRamp)}))
      .routes(2, route({from_to(kRamp, kWest)}))
      .sends(0)
      .takes(1)
      .takes(1)
      .sends(2, Ending::advance)
      .sends_only(2, Ending::advance);
  const auto fault = check_program(program.program());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "overshoot") << fault->message;
  EXPECT_EQ(fault->location, "PE (0,0), color 5");
  EXPECT_EQ(fault->message,
            "message 2 of PE (2,0) (an advance) goes beyond the path of its sender's data and moves this switch out of "
            "position 0");
}

TEST(Checks, FindAResetThatOvertakes) {
  const auto fault = check_program(HandMade(2)
                                       .routes(0, route({from_to(kEast, kRamp), {set_of(kEast), set_of(kRamp)}}))
                                       .routes(1, route({from_to(kRamp, kWest)}))
                                       .takes(0)
                                       .sends(1)
                                       .sends_only(1, Ending::reset)
                                       .program());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "reset out of order");
  EXPECT_EQ(fault->location, "PE (0,0), color 5");
}

TEST(Checks, FindASwitchThatIsNotBack) {
  const auto fault = check_program(HandMade(3)
                                       .routes(0, route({from_to(kEast, kRamp)}))
                                       .routes(1, route({from_to(kRamp, kWest), from_to(kEast, kWest)}))
                                       .routes(2, route({from_to(kRamp, kWest)}))
                                       .takes(0)
                                       .takes(0)
                                       .sends(1, Ending::advance_own)
                                       .sends(2)
                                       .program());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "switch");
  EXPECT_EQ(fault->location, "PE (1,0), color 5");
}

TEST(Checks, FindAMessageThatNobodyTakesAndOneWithoutARoute) {
  const auto left = check_program(HandMade(2)
                                      .routes(0, route({from_to(kEast, kRamp)}))
                                      .routes(1, route({from_to(kRamp, kWest)}))
                                      .takes(0)
                                      .sends(1)
                                      .sends(1)
                                      .program());
  ASSERT_TRUE(left);
  EXPECT_EQ(left->kind, "left over");
  EXPECT_EQ(left->message, "PE (0,0), color 5: message 2 of PE (1,0) (4 words) waits at the processor");

  const auto edge = check_program(HandMade(2).routes(0, route({from_to(kRamp, kWest)})).sends(0).program());
  ASSERT_TRUE(edge);
  EXPECT_EQ(edge->kind, "no route");
  EXPECT_EQ(edge->message, "position 0 sends message 1 of PE (0,0) (4 words) to west, out of the grid");
  const auto no_ramp = check_program(HandMade(2).routes(1, route({from_to(kEast, kWest)})).sends(1).program());
  ASSERT_TRUE(no_ramp);
  EXPECT_EQ(no_ramp->kind, "no route");
  EXPECT_EQ(no_ramp->location, "PE (1,0), color 5");
}

TEST(Checks, NameTheRouterThatDoesNotTakeFromTheSideWhereAMessageComesIn) {
  const auto wrong = [](ColorRoute middle) {
    return check_program(HandMade(3)
                             .routes(0, route({from_to(kEast, kRamp)}))
                             .routes(1, middle)
                             .routes(2, route({from_to(kRamp, kWest)}))
                             .takes(0)
                             .sends(2)
                             .program());
  };
  const auto turned = wrong(route({from_to(kWest, kRamp)}));
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->kind, "no route");
  EXPECT_EQ(turned->location, "PE (1,0), color 5");
  EXPECT_EQ(turned->message, "message 1 of PE (2,0) (4 words) comes in from east; position 0 takes from west");
  const auto switched = wrong(route({from_to(kWest, kRamp), from_to(kRamp, kWest)}));
  ASSERT_TRUE(switched);
  EXPECT_EQ(switched->message,
            "message 1 of PE (2,0) (4 words) comes in from east; position 0 takes from west, position 1 from ramp");

  const auto none = check_program(HandMade(2).routes(1, route({from_to(kRamp, kWest)})).sends(1).program());
  ASSERT_TRUE(none);
  EXPECT_EQ(none->location, "PE (0,0), color 5");
  EXPECT_EQ(none->message,
            "message 1 of PE (1,0) (4 words) comes in from east; this router has no route for the color");
}

TEST(Checks, NameThePEAndTheColorOfAReceiveThatNobodySendsTo) {
  // A chain of three; the middle takes twice. PE 0 waits for it, but PE 1 is to blame.
  HandMade chain(3);
  chain.colors({5, 7})
      .routes(0, route({from_to(kEast, kRamp)}))
      .routes(1, route({from_to(kRamp, kWest)}))
      .routes(1, route({from_to(kEast, kRamp)}, 1))
      .routes(2, route({from_to(kRamp, kWest)}, 1))
      .takes(0)
      .takes(1, 1)
      .takes(1, 1)
      .sends(1)
      .sends(2);
  WaferProgram program = chain.program();
  program.classes[2].operations[0].outputs = {{1, Ending::nothing}};
  const auto fault = check_program(program);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "deadlock");
  EXPECT_EQ(fault->location, "PE (1,0), color 7");
  EXPECT_EQ(fault->message,
            "PE (1,0), color 7: operation 1 waits for 4 words, of which 0 have come, and no more will be sent\n"
            "PE (0,0), color 5: operation 0 waits for 4 words, of which 0 have come");
}

TEST(Checks, FindLanesThatUseOneColorInAnOrderLeftToChance) {
  WaferProgram program = HandMade(2)
                             .routes(0, route({from_to(kEast, kRamp)}))
                             .routes(1, route({from_to(kRamp, kWest)}))
                             .takes(0)
                             .takes(0)
                             .sends(1)
                             .sends(1)
                             .program();
  program.classes[1].operations[1].lane = 1;
  const auto fault = check_program(program);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, "unordered lanes");
  program.classes[1].operations[1].after = {0};
  EXPECT_FALSE(check_program(program));
}

}  // namespace
}  // namespace muster::wafer
