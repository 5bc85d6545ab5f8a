// The static checks on programs with rings and lists of commands: a wrong command is found, with the PE and the color.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/stream/trace.h"
#include "backend/wafer/test_problem.h"
#include "backend/wafer/test_programs.h"
#include "backend/wafer/test_stencil_reference.h"

namespace muster::wafer {
namespace {

using test::from_to;
using test::HandMade;
using test::LocalizedLine;
using test::Stencil;

Stencil any_stencil() {
  Stencil s;
  s.width = *rc::gen::inRange(1, 13);
  s.height = *rc::gen::inRange(1, 4);
  s.radius = *rc::gen::inRange(1, 5);
  s.cells = *rc::gen::inRange(1, 9);
  s.block = *rc::gen::inRange<std::int64_t>(1, s.cells + 1);
  return s;
}

/// A PE with a class of its own.
ProcessorClass& own_class(WaferProgram& program, std::size_t pe) {
  program.classes.push_back(program.classes[at(program.class_of[pe])]);
  program.class_of[pe] = static_cast<std::int32_t>(program.classes.size()) - 1;
  return program.classes.back();
}

/// What the lists of an output do to the routers ahead, in order; those behind the first one reach the sender's router alone.
std::vector<std::string> effect_of(const LocalizedLine& line, std::int32_t place, const Output& output) {
  std::vector<std::string> moves;
  for (std::size_t list = 0; list < output.controls(); ++list) {
    for (std::int32_t hop = 0; hop <= (list == 0 ? line.radius : 0) && place + hop < line.length; ++hop) {
      const bool has_positions = test::roles_of(line, place + hop).size() > 1;
      if (has_positions && command_at(output.lists.at(list), hop) == Command::advance) {
        moves.push_back(fmt::format("{}+{}", list == 0 ? 0 : 1, hop));
      }
    }
  }
  return moves;
}

void change_list(Output& output) {
  const auto lists = std::max<std::size_t>(1, output.controls());
  output.ending = Ending::commands;
  CommandList& list = output.lists.at(*rc::gen::inRange<std::size_t>(0, lists));
  const auto shift = static_cast<unsigned>(2 * *rc::gen::inRange(0, std::max(1, count_of(list))));
  switch (*rc::gen::inRange(0, 3)) {
    case 0:  // the other command
      if (list != 0) list = static_cast<CommandList>(list ^ 3U << shift);
      return;
    case 1:
      if (count_of(list) < kMostCommands) list = with_command(list, Command::advance);
      return;
    default:  // without one, so that those behind it come too early
      list = static_cast<CommandList>((list & ((1U << shift) - 1)) | (list >> (shift + 2) << shift));
  }
}

RC_GTEST_PROP(StencilChecks, FindEveryWrongListOfCommandsAndNoOther, ()) {
  const Stencil s = any_stencil();
  WaferProgram program = stencil_program(s);
  RC_ASSERT(!check_program(program));
  const auto x = *rc::gen::inRange(0, s.width), y = *rc::gen::inRange(0, s.height);
  ProcessorClass& changed = own_class(program, at(y * s.width + x));
  const auto from = *rc::gen::inRange<std::size_t>(0, 4);
  const LocalizedLine line = line_of(s, from);
  std::vector<Operation*> senders;
  for (Operation& o : changed.operations) {
    if (!o.outputs.empty() && !o.operands.empty() && o.outputs[0].color == line.color) senders.push_back(&o);
  }
  Output& output = senders[*rc::gen::inRange<std::size_t>(0, senders.size())]->outputs[0];
  const auto place = place_of(s, from, x, y);
  const auto before = effect_of(line, place, output);
  change_list(output);
  const bool is_wrong = effect_of(line, place, output) != before;
  const auto found = check_program(program);
  RC_CLASSIFY(is_wrong, "wrong");
  RC_ASSERT(found.has_value() == is_wrong);
  if (!is_wrong) return;
  RC_ASSERT(found->location.find("PE (") != std::string::npos);
  const Result result = simulate(program, {.seed = 3, .give_up = Cycles(1 << 16)});
  RC_CLASSIFY(result.fault.has_value(), "runs into it");
  RC_ASSERT(result.fault.has_value() || !test::stencil_difference(s, result.outputs[0], 3).empty() ||
            found->kind == "overshoot");
}

RC_GTEST_PROP(StencilChecks, FindEverythingThatTheCycleEngineRunsInto, ()) {
  const Stencil s = any_stencil();
  WaferProgram program = stencil_program(s);
  ProcessorClass& changed = own_class(program, *rc::gen::inRange<std::size_t>(0, program.class_of.size()));
  if (*rc::gen::arbitrary<bool>()) {
    ColorRoute& route = changed.routes[*rc::gen::inRange<std::size_t>(0, 4)];
    Position& position = route.positions[*rc::gen::inRange<std::size_t>(0, route.count)];
    (*rc::gen::arbitrary<bool>() ? position.from : position.to) = set_of(direction_at(*rc::gen::inRange(0, 5)));
    if (*rc::gen::inRange(0, 3) == 0) route.ring = !route.ring;
  } else {
    Operation& o = changed.operations[*rc::gen::inRange<std::size_t>(0, changed.operations.size())];
    if (*rc::gen::arbitrary<bool>()) {
      o.times = 2;
    } else {
      for (Output& output : o.outputs) output.ending = static_cast<Ending>(*rc::gen::inRange(0, 5));
    }
  }
  const auto found = check_program(program);
  const Result result = simulate(program, {.calls = 2, .give_up = Cycles(1 << 16)});
  RC_CLASSIFY(found.has_value(), "found");
  RC_CLASSIFY(result.fault.has_value(), "runs into it");
  if (result.fault && !found) RC_LOG() << result.fault->kind << " " << result.fault->location << result.fault->message;
  if (result.fault) RC_ASSERT(found.has_value());
}

/// PE 0 sends to the others of a row, with a list; whoever has a ring of two positions there waits in the first one.
HandMade row_with_ring(CommandList list) {
  HandMade row(3);
  const Position passes{set_of(Direction::west),
                        static_cast<Directions>(set_of(Direction::east) | set_of(Direction::ramp))};
  const Position ends = from_to(Direction::west, Direction::ramp);
  ColorRoute ring = test::route({passes, ends});
  ring.ring = true;
  row.routes(0, test::route({from_to(Direction::ramp, Direction::east)}))
      .routes(1, ring)
      .routes(2, test::route({ends}));
  for (int message = 0; message < 2; ++message) row.sends(0, Ending::nothing);
  row.sends_only(0, Output{.color = 0, .ending = Ending::commands, .lists = {list}});
  for (int message = 0; message < 2; ++message) row.takes(1).takes(2);
  return row;
}

constexpr auto kNop = Command::nop;
constexpr auto kAdv = Command::advance;

TEST(StencilChecks, NameTheSwitchThatAListLeavesInAnotherPosition) {
  EXPECT_FALSE(check_program(row_with_ring(command_list({kNop, kNop, kAdv})).program()));
  const auto found = check_program(row_with_ring(command_list({kNop, kAdv})).program());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->location, "PE (1,0), color 5");
  EXPECT_EQ(found->message, "left in position 1; the next call needs position 0");
}

TEST(StencilChecks, DoNotAllowAResetInARing) {
  HandMade row = row_with_ring(0);
  row.sends_only(0, Ending::reset);
  const auto found = check_program(row.program());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "reset out of order");
  EXPECT_EQ(found->location, "PE (1,0), color 5");
  const Result result = row.run();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, "reset out of order");
}

TEST(StencilChecks, CompareEveryPositionOfARingWithTheOneBeforeIt) {
  const Stencil s{.width = 9, .radius = 4};
  WaferProgram program = stencil_program(s);
  EXPECT_FALSE(over_budget(program, 0));
  // Without the way aside between root and last, the last position does not lead to the first one.
  ProcessorClass& inner = own_class(program, 5);
  inner.routes[0].count = 3;
  EXPECT_EQ(over_budget(program, 0).value_or(""),
            "switch of color 2 at PE (5,0): position 0 (ramp to east and ramp) changes input and output of position 2 "
            "(west to "
            "ramp), which it follows in the ring, this machine changes one side; put a position between them");
}

TEST(StencilChecks, KeepListsAndPlainControlWaveletsOnDifferentColors) {
  HandMade row = row_with_ring(command_list({kNop, kNop}));
  EXPECT_FALSE(over_budget(row.program(), 0));
  row.sends_only(0, Ending::advance);
  EXPECT_EQ(
      over_budget(row.program(), 0).value_or(""),
      "control wavelets of color 5 at PE (0,0): some carry a list of commands and others do not; use lists for all");
}

TEST(StencilChecks, KnowHowManyCoefficientsAndOperandsThereAre) {
  WaferProgram program = test::stencil_program(Stencil{.width = 1, .cells = 2});
  const auto reason = [&](auto change) {
    WaferProgram changed = program;
    change(changed);
    return over_budget(changed, 0).value_or("");
  };
  const auto of_local = [](WaferProgram& p) -> Operation& { return p.classes[0].operations.back(); };
  const std::size_t last = program.classes[0].operations.size() - 1;
  EXPECT_EQ(
      reason([&](WaferProgram& p) { of_local(p).more_own.pop_back(); }),
      fmt::format("operation {} of PE (0,0): 2 operands in memory, but 1 places of them; give each its own", last));
  EXPECT_NE(reason([&](WaferProgram& p) { of_local(p).coefficients.back() = 99; }), "");
  EXPECT_NE(reason([&](WaferProgram& p) { p.arithmetic.type = ElementType::i32; }), "");
  EXPECT_NE(reason([&](WaferProgram& p) { p.steps = 2, p.extent[0] = 1; }), "");
}

TEST(StencilChecks, AreAllThatTheStreamEngineAndCslHaveForSuchPrograms) {
  const Stencil s{.width = 3, .height = 2, .radius = 2, .cells = 5, .block = 2, .steps = 2};
  const WaferProgram program = stencil_program(s);
  const Result result = simulate_streams(program, {.seed = 4});
  EXPECT_EQ(result.engine, "cycle");
  EXPECT_EQ(result.note, "the stream engine was not used: the program has repetitions");
  EXPECT_EQ(test::stencil_difference(s, result.outputs[0], 4), "");
  const auto files = emit_csl(program, {});
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.reason(),
            "csl: the last repetition would leave its result where the first one had its input; change their number by "
            "one");
}

}  // namespace
}  // namespace muster::wafer
