// Budgets: each is checked on the program alone, and a refusal says which, where, needed, there, and a remedy.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/test_grids.h"
#include "base/index.h"
#include "base/source_dir.h"
#include "machine/loader.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using test::mesh_of;

Machine shipped(const std::string& name, std::int32_t width, std::int32_t height = 1) {
  const auto file = std::filesystem::path(source_dir()) / "machines" / (name + ".toml");
  return with_grid(load_machine(file), width, height);
}

std::unique_ptr<WaferProgram> star(const Machine& machine) {
  const auto size = as<Mesh>(machine)->width * as<Mesh>(machine)->height;
  return std::move(lower(test::reduce_row(test::star_tree(size), 4), machine, {})).value();
}

std::string reason_of(const WaferProgram& program, int reserved = 0) {
  return over_budget(program, reserved).value_or("");
}

std::string refusal(const Schedule& schedule, const Machine& machine, int reserved = 0) {
  const auto program =
      lower(schedule, machine, {.arithmetic = {}, .options = MeshOptions{.reserved_colors = reserved}});
  return program.ok() ? "" : program.reason();
}

/// Every processor of a row sends to PE 0, each on a color of its own and all at once.
Schedule all_at_once(NodeId size) {
  ScheduleBuilder b({.nodes = size, .count = 4});
  const SpanId all = b.span({0, 4});
  std::vector<StreamId> streams;
  for (NodeId n = 1; n < size; ++n) {
    streams.push_back(b.stream(n, 0, all));
    b.step(n, all).own(Buffer::input).push(streams.back());
  }
  auto step = b.step(0, all).own(Buffer::input);
  for (const StreamId s : streams) step.take(s);
  step.store(Buffer::output);
  return std::move(b).finish();
}

TEST(Budgets, HoldForWhatIsLoweredForEveryShippedWafer) {
  for (const std::string wafer : {"wse2", "wse3"}) {
    const Machine m = shipped(wafer, 12, 9);
    for (const auto& tree : {test::chain_tree, test::star_tree, test::binary_tree}) {
      for (const auto flood : {test::Flood::none, test::Flood::after, test::Flood::fused}) {
        const auto program = lower(test::reduce_xy({12, 9, 3, 2}, 16, tree, flood), m, {});
        ASSERT_TRUE(program.ok()) << program.reason();
        EXPECT_EQ(reason_of(*program.value()), "") << wafer;
      }
    }
  }
}

TEST(Budgets, OfColorsLeaveOutWhatIsReserved) {
  const Schedule chain = test::reduce_row(test::chain_tree(4), 4);
  EXPECT_EQ(refusal(chain, shipped("wse2", 4), 19), "");
  const std::string reason =
      "colors: 2 needed, 1 left of 24 (3 reserved by the host library, 20 for your program); reserve at most 19";
  EXPECT_EQ(refusal(chain, shipped("wse2", 4), 20), reason);
  EXPECT_EQ(refusal(chain, shipped("wse3", 4), 20), reason);
  EXPECT_EQ(reason_of(*lower(chain, shipped("wse2", 4), {}).value(), 20), reason);
}

TEST(Budgets, OfColorsEndTheSearchWhereNoneIsLeft) {
  Machine m = shipped("wse2", 25);
  EXPECT_EQ(refusal(all_at_once(25), m),
            "colors: more than 21 needed, 21 left of 24 (3 reserved by the host library, 0 for your program); have "
            "fewer streams at a processor at the same time");
}

TEST(Budgets, OfColorsMakeAxesShareWhereTheyMust) {
  const Schedule xy = test::reduce_xy({3, 3}, 4, test::chain_tree);
  const auto spare = lower(xy, shipped("wse2", 3, 3), {});
  const auto tight =
      lower(xy, shipped("wse2", 3, 3), {.arithmetic = {}, .options = MeshOptions{.reserved_colors = 18}});
  ASSERT_TRUE(spare.ok()) << spare.reason();
  ASSERT_TRUE(tight.ok()) << tight.reason();
  EXPECT_EQ(spare.value()->colors.size(), 4U);
  EXPECT_EQ(tight.value()->colors.size(), 3U);
}

TEST(Budgets, OfColorsNameTheOneThatAProgramMayNotUse) {
  const auto program = star(shipped("wse2", 4));
  program->colors = {22};
  EXPECT_EQ(reason_of(*program), "colors: 22 is used, but 21-23 belong to the host library; use another");
  program->colors = {24};
  EXPECT_EQ(reason_of(*program), "colors: 24 is used, this machine routes 0 to 23; use one of these");
  const auto chain = std::move(lower(test::reduce_row(test::chain_tree(4), 4), shipped("wse2", 4), {})).value();
  chain->colors = {5, 5};
  EXPECT_EQ(reason_of(*chain), "colors: 5 is used twice; use another");
}

TEST(Budgets, OfSwitchesKnowWhichColorsOfAWse3HaveThem) {
  const auto program = star(shipped("wse3", 4));
  for (const int color : {0, 9, 12, 13, 16, 17, 20}) {
    program->colors = {color};
    EXPECT_EQ(reason_of(*program), "") << color;
  }
  for (const int color : {10, 11, 14, 15, 18, 19}) {
    program->colors = {color};
    EXPECT_EQ(reason_of(*program), fmt::format("switch of color {} at PE (1,0): 2 positions needed, but only colors "
                                               "0-9, 12, 13, 16, 17, 20 have switches; use one of these",
                                               color));
  }
  const auto on_wse2 = star(shipped("wse2", 4));
  on_wse2->colors = {10};
  EXPECT_EQ(reason_of(*on_wse2), "");
}

TEST(Budgets, OfSwitchesAreRefusedWhereTooFewColorsHaveThem) {
  Machine m = test::wafer(6);
  mesh_of(m).switch_colors = {};
  EXPECT_EQ(refusal(test::reduce_row(test::star_tree(6), 4), m),
            "colors with switches: 1 needed, 0 free of the machine's 0; use an algorithm in which fewer "
            "processors forward messages");
}

TEST(Budgets, OfPositionsCountThoseOfOneColorAtOneRouter) {
  const auto program = star(shipped("wse2", 4));
  mesh_of(program->machine).switch_positions = 1;
  EXPECT_EQ(reason_of(*program),
            "switch positions of color 0 at PE (1,0): 2 needed, 1 there; spread its streams over more colors");
}

TEST(Budgets, LetAPositionChangeOneSideUnlessTheMachineSaysBoth) {
  const auto turn = [](const std::string& wafer, bool both_sides) {
    auto program = star(shipped(wafer, 4));
    mesh_of(program->machine).switch_both_sides = both_sides;
    ColorRoute& route = program->classes[at(program->class_of[1])].routes[0];
    route.positions[1] = {set_of(Direction::east), set_of(Direction::ramp)};
    return reason_of(*program);
  };
  for (const std::string wafer : {"wse2", "wse3"}) {
    EXPECT_EQ(
        turn(wafer, false),
        "switch of color 0 at PE (1,0): position 1 (east to ramp) changes input and output of position 0 (ramp to "
        "west), this machine changes one side; use another color for it");
  }
  EXPECT_EQ(turn("wse3", true), "");
}

TEST(Budgets, OfQueuesCountTheColorsThatAProcessorReceives) {
  const std::string reason =
      "input queues of PE (0,0): 7 needed, one per color, 6 free of 8 (0, 1 belong to the host library); receive on at "
      "most 6 colors there";
  for (const std::string wafer : {"wse2", "wse3"}) {
    EXPECT_EQ(refusal(all_at_once(7), shipped(wafer, 7)), "");
    EXPECT_EQ(refusal(all_at_once(8), shipped(wafer, 8)), reason);
  }
}

/// PE 0 forwards what comes from PE 1, a copy to every other one in one operation.
Schedule many_copies(NodeId size) {
  ScheduleBuilder b({.nodes = size, .count = 4});
  const SpanId all = b.span({0, 4});
  std::vector<StreamId> streams;
  for (NodeId n = 1; n < size; ++n) streams.push_back(b.stream(0, n, all));
  const StreamId first = b.stream(1, 0, all);
  b.step(1, all).own(Buffer::input).push(first);
  auto step = b.step(0, all).take(first);
  for (const StreamId s : streams) step.push(s);
  for (NodeId n = 1; n < size; ++n) b.step(n, all).take(streams[at(n - 1)]).store(Buffer::output);
  return std::move(b).finish();
}

TEST(Budgets, OfQueuesCountTheColorsThatAProcessorSends) {
  EXPECT_EQ(refusal(many_copies(5), shipped("wse2", 5)), "");
  EXPECT_EQ(
      refusal(many_copies(6), shipped("wse2", 6)),
      "output queues of PE (0,0): 5 needed, one per color, 4 free of 6 (0, 1 belong to the host library); send on "
      "at most 4 colors there");
  EXPECT_EQ(refusal(many_copies(6), shipped("wse3", 6)), "");
}

TEST(Budgets, OfMemoryCountVectorsAndAnEstimateOfTheProgram) {
  const std::string reason =
      "memory of PE (0,0): 68152 bytes needed (64000 for 16000 words, about 4152 for code and descriptors), 49152 "
      "there; at most 11250 words fit";
  for (const std::string wafer : {"wse2", "wse3"}) {
    EXPECT_EQ(refusal(test::reduce_row(test::chain_tree(2), 8000), shipped(wafer, 2)), reason);
    EXPECT_EQ(refusal(test::reduce_row(test::chain_tree(2), 11250 / 2), shipped(wafer, 2)), "");
  }
}

TEST(Budgets, OfMemoryCountTheWholeExtentOfEveryBufferThatIsTouched) {
  const auto reason = [](std::int64_t scratch) {
    ScheduleBuilder b({.nodes = 1, .count = 4, .scratch = scratch});
    const SpanId all = b.span({0, 4});
    b.step(0, all).own(Buffer::input).store(Buffer::scratch);
    b.step(0, all).own(Buffer::scratch).store(Buffer::output);
    return refusal(std::move(b).finish(), test::wafer(1));
  };
  EXPECT_EQ(reason(11000), "");
  EXPECT_EQ(reason(9000000),
            "memory of PE (0,0): 36004176 bytes needed (36000032 for 9000008 words, about 4144 for code and "
            "descriptors), 49152 there; at most 11252 words fit");
  for (const int bits : {61, 62}) EXPECT_NE(reason(std::int64_t{1} << bits), "") << bits;
  EXPECT_NE(reason(std::numeric_limits<std::int64_t>::max()), "");
}

}  // namespace
}  // namespace muster::wafer
