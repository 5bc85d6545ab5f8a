// How many colors and switch positions each pattern needs, on both wafers: those of the paper's authors, or fewer.
#include <gtest/gtest.h>

#include <filesystem>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/test_grids.h"
#include "base/index.h"
#include "base/random.h"
#include "base/source_dir.h"
#include "machine/loader.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using test::Grid;
using test::Tree;

Machine shipped(const std::string& name, const Grid& grid) {
  const auto file = std::filesystem::path(source_dir()) / "machines" / (name + ".toml");
  return with_grid(load_machine(file), grid.width, grid.height);
}

/// Colors, and the most positions of a router.
struct Use {
  std::size_t colors = 0;
  int positions = 0;
  bool operator==(const Use&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Use& use) {
  return out << use.colors << " colors, " << use.positions << " positions";
}

Use use_of(const Schedule& schedule, const Machine& machine) {
  const auto program = lower(schedule, machine, {});
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.reason());
  if (!program.ok()) return {};
  Use use{.colors = program.value()->colors.size()};
  for (const ProcessorClass& c : program.value()->classes) {
    for (const ColorRoute& r : c.routes) use.positions = std::max<int>(use.positions, r.count);
  }
  return use;
}

Tree two_phase(std::int32_t size) { return test::two_phase_tree(size, 3); }
Tree a_random_tree(std::int32_t size) {
  Random random(static_cast<std::uint64_t>(size));
  return test::random_tree(
      size, [&](std::int32_t n) { return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(n))); });
}

using MakeTree = Tree (*)(std::int32_t);
constexpr MakeTree kSwitchedTrees[] = {test::binary_tree, two_phase, a_random_tree};

const Grid kLines[] = {{8, 1, 0, 0}, {31, 1, 0, 0}, {64, 1, 0, 0}, {1, 33, 0, 0}};
const Grid kLinesWithinRoot[] = {{8, 1, 3, 0}, {31, 1, 15, 0}, {64, 1, 62, 0}, {1, 33, 0, 20}};
const Grid kGrids[] = {{8, 8, 0, 0}, {17, 13, 0, 0}, {9, 30, 0, 0}, {40, 40, 0, 0}};
const Grid kGridsWithinRoot[] = {{8, 8, 3, 4}, {17, 13, 8, 6}, {9, 30, 8, 11}, {40, 40, 39, 39}};

const char* const kWafers[] = {"wse2", "wse3"};

TEST(ColorsOfALine, AreThoseOfTheAuthors) {
  for (const std::string wafer : kWafers) {
    for (const Grid& g : kLines) {
      const Machine m = shipped(wafer, g);
      const auto reduce = [&](MakeTree tree) { return use_of(test::reduce_xy(g, 8, tree), m); };
      EXPECT_EQ(reduce(test::chain_tree), (Use{2, 1})) << g.width << "x" << g.height;
      EXPECT_EQ(reduce(test::star_tree), (Use{1, 2})) << g.width << "x" << g.height;
      for (const MakeTree tree : kSwitchedTrees) EXPECT_EQ(reduce(tree), (Use{2, 2})) << g.width << "x" << g.height;
    }
  }
}

TEST(ColorsOfALine, AreTwoWithTheRootInside) {
  for (const std::string wafer : kWafers) {
    for (const Grid& g : kLinesWithinRoot) {
      const Machine m = shipped(wafer, g);
      const auto reduce = [&](MakeTree tree) { return use_of(test::reduce_xy(g, 8, tree), m); };
      EXPECT_EQ(reduce(test::chain_tree), (Use{2, 1})) << g.width << "x" << g.height;
      EXPECT_EQ(reduce(test::star_tree), (Use{2, 2})) << g.width << "x" << g.height;
      for (const MakeTree tree : kSwitchedTrees) EXPECT_EQ(reduce(tree), (Use{2, 2})) << g.width << "x" << g.height;
    }
  }
}

TEST(ColorsOfALine, AreOneMoreWithAFloodBehind) {
  for (const std::string wafer : kWafers) {
    for (const auto* grids : {&kLines, &kLinesWithinRoot}) {
      for (const Grid& g : *grids) {
        const Machine m = shipped(wafer, g);
        for (const auto flood : {test::Flood::after, test::Flood::fused}) {
          const auto allreduce = [&](MakeTree tree) { return use_of(test::reduce_xy(g, 8, tree, flood), m); };
          EXPECT_EQ(allreduce(test::chain_tree), (Use{3, 1}));
          EXPECT_EQ(allreduce(test::star_tree).colors, g.root() == 0 ? 2U : 3U);
          for (const MakeTree tree : kSwitchedTrees) EXPECT_EQ(allreduce(tree), (Use{3, 2}));
        }
      }
    }
  }
}

TEST(ColorsOfARing, AreThreeWithoutSwitches) {
  for (const std::string wafer : kWafers) {
    for (const NodeId size : {3, 4, 5, 8, 9, 16, 31, 40}) {
      const Machine m = shipped(wafer, {size, 1});
      EXPECT_EQ(use_of(test::ring_allreduce(test::plain_ring(size), 80), m), (Use{3, 1})) << size;
      EXPECT_EQ(use_of(test::ring_allreduce(test::folded_ring(size), 80), m), (Use{3, 1})) << size;
    }
  }
}

TEST(ColorsOfAGrid, AreTwoForRowsAndTwoForTheColumn) {
  for (const std::string wafer : kWafers) {
    for (const auto* grids : {&kGrids, &kGridsWithinRoot}) {
      for (const Grid& g : *grids) {
        const Machine m = shipped(wafer, g);
        const auto reduce = [&](MakeTree tree) { return use_of(test::reduce_xy(g, 8, tree), m); };
        EXPECT_EQ(reduce(test::chain_tree), (Use{4, 1}));
        EXPECT_LE(reduce(test::star_tree).colors, g.root() == 0 ? 2U : 4U);
        for (const MakeTree tree : kSwitchedTrees) EXPECT_EQ(reduce(tree), (Use{4, 2}));
      }
    }
  }
}

TEST(ColorsOfAGrid, AreOneMoreWithAFloodBehind) {
  for (const std::string wafer : kWafers) {
    for (const auto* grids : {&kGrids, &kGridsWithinRoot}) {
      for (const Grid& g : *grids) {
        const Machine m = shipped(wafer, g);
        for (const auto flood : {test::Flood::after, test::Flood::fused}) {
          const auto allreduce = [&](MakeTree tree) { return use_of(test::reduce_xy(g, 8, tree, flood), m); };
          EXPECT_EQ(allreduce(test::chain_tree), (Use{5, 1}));
          EXPECT_LE(allreduce(test::star_tree).colors, 5U);
          for (const MakeTree tree : kSwitchedTrees) EXPECT_EQ(allreduce(tree), (Use{5, 2}));
        }
      }
    }
  }
}

/// Where a position changes both sides, rows' and columns' floods share a color; else a flood for each axis is needed.
TEST(ColorsOfAGrid, OfRowsThenColumnsShareTheFloodWhereTheMachineCan) {
  for (const auto* grids : {&kGrids, &kGridsWithinRoot}) {
    for (const Grid& g : *grids) {
      for (const MakeTree tree : {MakeTree{test::chain_tree}, MakeTree{test::binary_tree}, MakeTree{two_phase}}) {
        const Schedule schedule = test::allreduce_x_then_y(g, 8, tree);
        Machine both = shipped("wse3", g);
        test::mesh_of(both).switch_both_sides = true;
        EXPECT_EQ(use_of(schedule, both).colors, 5U);
      }
      for (const MakeTree tree : {MakeTree{test::binary_tree}, MakeTree{two_phase}}) {
        EXPECT_EQ(use_of(test::allreduce_x_then_y(g, 8, tree), shipped("wse2", g)).colors, 6U);
      }
    }
  }
}

/// Chains pass no router, so those along rows and those along columns share two colors like the fields of a chessboard.
TEST(ColorsOfAGrid, OfChainsAlongRowsThenColumnsAreFourWhereAPositionChangesOneSide) {
  for (const Grid& g : kGrids) {
    const Schedule schedule = test::allreduce_x_then_y(g, 8, test::chain_tree);
    EXPECT_EQ(use_of(schedule, shipped("wse2", g)), (Use{4, 2})) << g.width << "x" << g.height;
  }
  for (const Grid& g : kGridsWithinRoot) {
    const Schedule schedule = test::allreduce_x_then_y(g, 8, test::chain_tree);
    EXPECT_LE(use_of(schedule, shipped("wse2", g)).colors, 6U) << g.width << "x" << g.height;
  }
}

TEST(ColorsOfAGrid, OfASnakeAreTwo) {
  for (const std::string wafer : kWafers) {
    for (const Grid& g : {Grid{4, 4}, Grid{5, 7}, Grid{2, 9}, Grid{9, 2}, Grid{8, 3}}) {
      const Machine m = shipped(wafer, g);
      EXPECT_EQ(use_of(test::reduce_forest(test::snake_of(g), 0, 8), m), (Use{2, 1}));
      EXPECT_EQ(use_of(test::reduce_forest(test::snake_of(g), 0, 8, test::Flood::after), m), (Use{3, 1}));
    }
  }
}

TEST(ColorsOfAGrid, DoNotGrowWithIt) {
  for (const Grid& g : {Grid{750, 40, 0, 0}, Grid{40, 994, 0, 0}}) {
    for (const MakeTree tree : {MakeTree{test::binary_tree}, MakeTree{test::chain_tree}}) {
      const auto program = lower(test::reduce_xy(g, 8, tree, test::Flood::after), shipped("wse2", g), {});
      ASSERT_TRUE(program.ok());
      EXPECT_EQ(program.value()->colors.size(), 5U);
      EXPECT_LT(program.value()->classes.size(), 300U);
    }
  }
}

/// Streams that come to the root from both sides in turn would need a position each time they change.
TEST(ColorsOfSides, AreDifferentAtOneProcessor) {
  const Grid g{21, 1, 10, 0};
  const auto program = lower(test::reduce_xy(g, 4, test::star_tree), test::wafer(21), {});
  ASSERT_TRUE(program.ok());
  const auto& root = program.value()->classes[at(program.value()->class_of[at(g.root())])];
  ASSERT_EQ(root.routes.size(), 2U);
  EXPECT_EQ(root.routes[0].count, 1);
  EXPECT_EQ(root.routes[1].count, 1);
  EXPECT_NE(root.routes[0].positions[0].from, root.routes[1].positions[0].from);
}

TEST(ColorsOfAxes, AreKeptApartOnlyWhereAProcessorMeetsBoth) {
  const auto meet = [](const Schedule& schedule, const Grid& g) {
    const Machine m = test::wafer(g.width, g.height);
    return axes_meet(schedule, find_routes(schedule, *as<Mesh>(m)).value());
  };
  EXPECT_TRUE(meet(test::reduce_xy({4, 3}, 2, test::chain_tree), {4, 3}));
  EXPECT_FALSE(meet(test::reduce_forest(test::snake_of({4, 3}), 0, 2), {4, 3}));
  EXPECT_FALSE(meet(test::flood(12, 5, 2), {4, 3}));
}

}  // namespace
}  // namespace muster::wafer
