// Lowering: colors, positions, endings, resets, operations and budgets.
#include "backend/wafer/lower/lower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "backend/wafer/directions.h"
#include "backend/wafer/test_schedules.h"
#include "base/source_dir.h"
#include "machine/loader.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using test::chain_tree;
using test::mesh_of;
using test::reduce_row;

std::unique_ptr<WaferProgram> lowered(const Schedule& schedule, const Machine& machine) {
  auto program = lower(schedule, machine, {});
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.reason());
  return std::move(program).value();
}

std::size_t colors(const Schedule& schedule, const Machine& machine) {
  return lowered(schedule, machine)->colors.size();
}

const ProcessorClass& processor(const WaferProgram& program, NodeId node) {
  return program.classes[static_cast<std::size_t>(program.class_of[static_cast<std::size_t>(node)])];
}

constexpr Position from_to(Direction from, Direction to) { return {set_of(from), set_of(to)}; }

std::vector<Position> positions(const WaferProgram& program, NodeId node, int color) {
  for (const ColorRoute& r : processor(program, node).routes) {
    if (r.color == color) return {r.positions.begin(), r.positions.begin() + r.count};
  }
  return {};
}

constexpr auto kNorth = Direction::north, kEast = Direction::east, kSouth = Direction::south, kWest = Direction::west,
               kRamp = Direction::ramp;

TEST(Colors, AreAsManyAsTheKnownProgramsUse) {
  for (const std::int32_t size : {3, 4, 5, 7, 8, 16, 31, 64}) {
    const Machine m = test::wafer(size);
    for (const std::int64_t count : {1, 2, 4}) {
      EXPECT_EQ(colors(reduce_row(chain_tree(size), count), m), 2U) << size;
      EXPECT_EQ(colors(reduce_row(test::star_tree(size), count), m), 1U) << size;
      if (size > 3) {
        EXPECT_EQ(colors(reduce_row(test::binary_tree(size), count), m), 2U) << size;
        EXPECT_EQ(colors(reduce_row(test::two_phase_tree(size, 3), count), m), 2U) << size;
      }
      EXPECT_EQ(colors(test::flood(size, 0, count), m), 1U) << size;
      EXPECT_EQ(colors(test::flood(size, size / 2, count), m), 1U) << size;
    }
  }
  EXPECT_EQ(colors(test::flood(30, 0, 4), test::wafer(5, 6)), 1U);
  EXPECT_EQ(colors(test::flood(30, 17, 4), test::wafer(5, 6)), 1U);
}

TEST(Colors, OfAChainAlternateAndNeedNoSwitch) {
  const auto program = lowered(reduce_row(chain_tree(5), 4), test::wafer(5));
  EXPECT_EQ(positions(*program, 0, 0), std::vector{from_to(kEast, kRamp)});
  EXPECT_EQ(positions(*program, 1, 0), std::vector{from_to(kRamp, kWest)});
  EXPECT_EQ(positions(*program, 1, 1), std::vector{from_to(kEast, kRamp)});
  EXPECT_EQ(positions(*program, 2, 1), std::vector{from_to(kRamp, kWest)});
  EXPECT_EQ(positions(*program, 2, 0), std::vector{from_to(kEast, kRamp)});
  EXPECT_EQ(processor(*program, 4).operations.size(), 1U);  // nothing to reset
}

TEST(Positions, OfAStarTurnEachSenderIntoARelay) {
  const auto program = lowered(reduce_row(test::star_tree(4), 4), test::wafer(4));
  EXPECT_EQ(positions(*program, 0, 0), std::vector{from_to(kEast, kRamp)});
  EXPECT_EQ(positions(*program, 1, 0), (std::vector{from_to(kRamp, kWest), from_to(kEast, kWest)}));
  EXPECT_EQ(positions(*program, 2, 0), (std::vector{from_to(kRamp, kWest), from_to(kEast, kWest)}));
  EXPECT_EQ(positions(*program, 3, 0), std::vector{from_to(kRamp, kWest)});
  EXPECT_EQ(processor(*program, 1).operations[0].outputs, (std::vector<Output>{{0, Ending::advance_own}}));
  EXPECT_EQ(program->class_of[1], program->class_of[2]);
  // The last sender has nothing to advance; its reset runs through all the others.
  ASSERT_EQ(processor(*program, 3).operations.size(), 2U);
  EXPECT_EQ(processor(*program, 3).operations[0].outputs, (std::vector<Output>{{0, Ending::nothing}}));
  EXPECT_EQ(processor(*program, 3).operations[1].outputs, (std::vector<Output>{{0, Ending::reset}}));
  EXPECT_EQ(program->spans.count(processor(*program, 3).operations[1].elements), 0);
}

TEST(Positions, OfATreeAreThoseOfTheAuthors) {
  // 0 takes 1 and 4; 1 takes 2 and 3; 4 is a leaf: 2 and 3 send on color 1, 1 and 4 on color 0. 5 is below 4.
  const auto program = lowered(reduce_row({0, 0, 1, 1, 0, 4}, 4), test::wafer(6));
  EXPECT_EQ(positions(*program, 1, 0), (std::vector{from_to(kRamp, kWest), from_to(kEast, kWest)}));
  EXPECT_EQ(positions(*program, 1, 1), std::vector{from_to(kEast, kRamp)});
  EXPECT_EQ(positions(*program, 2, 1), (std::vector{from_to(kRamp, kWest), from_to(kEast, kWest)}));
  EXPECT_EQ(positions(*program, 2, 0), std::vector{from_to(kEast, kWest)});  // a leaf's receive color relays
  EXPECT_EQ(positions(*program, 4, 1), std::vector{from_to(kEast, kRamp)});
}

TEST(Positions, OfAReceiverMoveOnByItsLastChildsControlWavelet) {
  // 0 takes 1 and 4; 1 takes 2; 2 takes 3 on the color on which 4 sends to 0.
  const auto program = lowered(reduce_row({0, 0, 1, 2, 0}, 4), test::wafer(5));
  EXPECT_EQ(positions(*program, 2, 0), (std::vector{from_to(kEast, kRamp), from_to(kEast, kWest)}));
  EXPECT_EQ(positions(*program, 3, 0), (std::vector{from_to(kRamp, kWest), from_to(kEast, kWest)}));
  EXPECT_EQ(processor(*program, 3).operations[0].outputs, (std::vector<Output>{{0, Ending::advance}}));
  EXPECT_EQ(processor(*program, 1).operations[0].outputs, (std::vector<Output>{{0, Ending::advance_own}}));
  EXPECT_EQ(processor(*program, 4).operations.back().outputs, (std::vector<Output>{{0, Ending::reset}}));
}

TEST(Positions, OfAMiddleRootKeepToTwoColors) {
  for (const std::int32_t size : {5, 8, 17}) {
    const NodeId root = size / 2;
    const auto sides = [&](auto tree) { return std::vector<test::Side>{{tree(size - root), 1}, {tree(root + 1), -1}}; };
    EXPECT_EQ(colors(test::reduce(size, root, 4, sides(chain_tree)), test::wafer(size)), 2U);
    EXPECT_LE(colors(test::reduce(size, root, 4, sides(test::star_tree)), test::wafer(size)), 2U);
    EXPECT_EQ(colors(test::reduce(size, root, 4, sides(test::binary_tree)), test::wafer(size)), 2U);
  }
}

TEST(Positions, OfAColumnPointNorth) {
  const auto program = lowered(reduce_row(test::star_tree(3), 4), test::wafer(1, 3));
  EXPECT_EQ(positions(*program, 0, 0), std::vector{from_to(kSouth, kRamp)});
  EXPECT_EQ(positions(*program, 1, 0), (std::vector{from_to(kRamp, kNorth), from_to(kSouth, kNorth)}));
}

TEST(Routes, GoXThenYAndBranch) {
  const Machine m = test::wafer(3, 2);
  const auto routes = find_routes(test::flood(6, 0, 1), *as<Mesh>(m));
  ASSERT_TRUE(routes.ok());
  std::vector<Position> at(6);
  routes.value().all_visits(0, [&](const Visit& v) {
    at[static_cast<std::size_t>(v.router)] = v.position;
    return true;
  });
  const auto set = [](auto... d) { return static_cast<Directions>((set_of(d) | ...)); };
  EXPECT_EQ(at[0], (Position{set(kRamp), set(kEast, kSouth)}));
  EXPECT_EQ(at[1], (Position{set(kWest), set(kEast, kSouth, kRamp)}));
  EXPECT_EQ(at[2], (Position{set(kWest), set(kSouth, kRamp)}));
  EXPECT_EQ(at[4], (Position{set(kNorth), set(kRamp)}));
}

TEST(Routes, AreTakenAsGiven) {
  ScheduleBuilder b({.nodes = 4, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId s = b.stream(0, 3, all);
  b.route(s, {{0, 2}, {2, 3}});  // south, then east
  b.step(0, all).own(Buffer::input).push(s);
  b.step(3, all).take(s).store(Buffer::output);
  const auto program = lowered(std::move(b).finish(), test::wafer(2, 2));
  EXPECT_EQ(positions(*program, 2, 0), std::vector{from_to(kNorth, kEast)});
  EXPECT_TRUE(processor(*program, 1).routes.empty());
}

TEST(Routes, WithoutALinkAreRefused) {
  ScheduleBuilder b({.nodes = 4, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId s = b.stream(0, 3, all);
  b.route(s, {{0, 3}});
  b.step(0, all).own(Buffer::input).push(s);
  b.step(3, all).take(s).store(Buffer::output);
  const auto program = lower(std::move(b).finish(), test::wafer(2, 2), {});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.reason(), "stream 0: no link leads from PE (0,0) to PE (1,1)");
}

TEST(Order, PutsStepsThatExchangeStreamsInOneGroup) {
  const Schedule chain = reduce_row(chain_tree(4), 2);
  const auto order = find_order(chain);
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order.value().group[0], order.value().group[1]);
  EXPECT_EQ(order.value().group[1], order.value().group[2]);
  EXPECT_EQ(order.value().sequence, (std::vector<StreamId>{2, 1, 0}));

  const Schedule star = reduce_row(test::star_tree(4), 2);
  const auto one_by_one = find_order(star);
  ASSERT_TRUE(one_by_one.ok());
  EXPECT_LT(one_by_one.value().group[0], one_by_one.value().group[1]);
  EXPECT_EQ(one_by_one.value().sequence, (std::vector<StreamId>{0, 1, 2}));
}

TEST(Operations, OfAStarsRootAreOneWithManyTimes) {
  const auto program = lowered(reduce_row(test::star_tree(100), 4), test::wafer(100));
  const auto& operations = processor(*program, 0).operations;
  ASSERT_EQ(operations.size(), 2U);  // the first one reads the input, the others the output
  EXPECT_EQ(operations[0].times, 1);
  EXPECT_EQ(operations[1].times, 98);
  EXPECT_EQ(program->classes.size(), 3U);
}

TEST(Operations, KeepWaitsBetweenLanes) {
  ScheduleBuilder b({.nodes = 2, .count = 2});
  const SpanId all = b.span({0, 2});
  const StreamId s = b.stream(0, 1, all), t = b.stream(1, 0, all);
  auto send = b.step(0, all, 0).own(Buffer::input).push(s);
  b.step(0, all, 1).take(t).store(Buffer::output).after(send);
  b.step(1, all).own(Buffer::input).push(t);
  b.step(1, all, 1).take(s).store(Buffer::output);
  const auto program = lowered(std::move(b).finish(), test::wafer(2));
  const auto& operations = processor(*program, 0).operations;
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_EQ(operations[1].lane, 1);
  EXPECT_EQ(operations[1].after, std::vector<std::int32_t>{0});
}

TEST(Sides, ThatAPositionChangesAreThoseOfTheBaseRoute) {
  EXPECT_TRUE(changed_sides(from_to(kRamp, kWest), from_to(kEast, kNorth)).both());
  EXPECT_FALSE(changed_sides(from_to(kRamp, kWest), from_to(kEast, kWest)).both());
  EXPECT_FALSE(changed_sides(from_to(kRamp, kWest), from_to(kRamp, kNorth)).both());
  EXPECT_FALSE(changed_sides(from_to(kRamp, kWest), from_to(kRamp, kWest)).both());
}

TEST(Summary, SaysWhatEachColorIsFor) {
  EXPECT_EQ(lowered(test::flood(3, 0, 4), test::wafer(3))->summary(),
            "3x1 PEs in 3 classes of equal routes and operations\n"
            "1 color, at most 1 switch position, at most 1 operation per PE\n\n"
            "color  towards  messages  control wavelets  receivers  switch positions\n"
            "-----  -------  --------  ----------------  ---------  ----------------\n"
            "    0  east            1                 0          2                 1\n");
  EXPECT_EQ(lowered(reduce_row(test::star_tree(5), 4), test::wafer(5))->summary(),
            "5x1 PEs in 3 classes of equal routes and operations\n"
            "1 color, at most 2 switch positions, at most 2 operations per PE\n\n"
            "color  towards  messages  control wavelets  receivers  switch positions\n"
            "-----  -------  --------  ----------------  ---------  ----------------\n"
            "    0  west            4                 1          1                 2\n");
  EXPECT_EQ(lowered(reduce_row(chain_tree(1), 5), test::wafer(1))->summary(),
            "1x1 PEs in 1 class of equal routes and operations\n0 colors, at most 0 switch positions, at most 1 "
            "operation per PE\n");
}

TEST(HardwareColors, WithPositionsAreSwitchableOnes) {
  Machine m = test::wafer(6);
  mesh_of(m).reserved_colors = {0, 23};
  mesh_of(m).switch_colors = {0, 3, 7};
  EXPECT_EQ(lowered(reduce_row(chain_tree(6), 4), m)->colors, (std::vector{2, 1}));
  EXPECT_EQ(lowered(reduce_row(test::star_tree(6), 4), m)->colors, std::vector{3});
}

TEST(Lowering, FitsEveryShippedWafer) {
  for (const char* name : {"wse2", "wse3"}) {
    const auto file = std::filesystem::path(source_dir()) / "machines" / (std::string(name) + ".toml");
    const Machine m = with_grid(load_machine(file), 40, 1);
    const auto& switchable = as<Mesh>(m)->switch_colors;
    for (const auto& tree : {chain_tree, test::star_tree, test::binary_tree}) {
      const auto program = lowered(reduce_row(tree(40), 16), m);
      for (const ProcessorClass& c : program->classes) {
        for (const ColorRoute& r : c.routes) {
          const int hardware = program->colors[static_cast<std::size_t>(r.color)];
          EXPECT_TRUE(r.count == 1 || std::count(switchable.begin(), switchable.end(), hardware) == 1) << name;
        }
      }
    }
  }
}

TEST(Lowering, OfOneProcessorIsALocalCopy) {
  const auto program = lowered(reduce_row(chain_tree(1), 5), test::wafer(1));
  EXPECT_TRUE(program->colors.empty());
  EXPECT_EQ(processor(*program, 0).operations.size(), 1U);
}

TEST(Lowering, OfAStarTakingTheFarEndFirstStillSucceedsWithMoreColors) {
  ScheduleBuilder b({.nodes = 6, .count = 4});
  const SpanId all = b.span({0, 4});
  Buffer own = Buffer::input;
  for (NodeId n = 5; n > 0; --n) {
    const StreamId s = b.stream(n, 0, all);
    b.step(n, all).own(Buffer::input).push(s);
    b.step(0, all).own(own).take(s).store(Buffer::output);
    own = Buffer::output;
  }
  EXPECT_GT(colors(std::move(b).finish(), test::wafer(6)), 1U);
}

TEST(Lowering, OfAStarOfAThousandProcessorsIsQuick) {
  const auto program = lowered(reduce_row(test::star_tree(1000), 8), test::wafer(1000));
  EXPECT_EQ(program->colors.size(), 1U);
  EXPECT_EQ(program->classes.size(), 3U);
}

}  // namespace
}  // namespace muster::wafer
