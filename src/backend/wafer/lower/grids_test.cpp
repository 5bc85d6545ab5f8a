// Whatever forest, root, flood or ring: the program runs without a fault, twice, and its data is right.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/lower/lower.h"
#include "backend/wafer/test_grids.h"
#include "backend/wafer/test_problem.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using test::Flood;
using test::Grid;
using test::problem_of;
using test::Tree;

Tree any_tree(std::int32_t size) {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return test::chain_tree(size);
    case 1:
      return test::star_tree(size);
    case 2:
      return test::binary_tree(size);
    case 3:
      return test::two_phase_tree(size, *rc::gen::inRange(1, 5));
    default:
      return test::random_tree(size, [](std::int32_t n) { return *rc::gen::inRange(0, n); });
  }
}

Flood any_flood() { return *rc::gen::element(Flood::none, Flood::after, Flood::fused); }

Grid any_grid(std::int32_t most) {
  Grid grid{.width = *rc::gen::inRange(1, most + 1), .height = *rc::gen::inRange(1, most + 1)};
  if (*rc::gen::arbitrary<bool>()) {
    grid.root_x = *rc::gen::inRange(0, grid.width);
    grid.root_y = *rc::gen::inRange(0, grid.height);
  }
  return grid;
}

Machine any_wafer(const Grid& grid) {
  Machine machine = test::wafer(grid.width, grid.height);
  Mesh& mesh = test::mesh_of(machine);
  mesh.router_buffer = *rc::gen::element(1, 2, 3);
  mesh.ramp_queue = *rc::gen::element(1, 2);
  mesh.ramp_latency = Cycles(*rc::gen::element<std::int64_t>(1, 2, 2));
  mesh.switch_both_sides = *rc::gen::arbitrary<bool>();
  return machine;
}

std::size_t colors_of(const Schedule& schedule, const Machine& machine) {
  return lower(schedule, machine, {}).value()->colors.size();
}

bool is_line(const Grid& grid) { return grid.width == 1 || grid.height == 1; }

RC_GTEST_PROP(GridProperty, AnyXYReduceRunsWithinItsColors, ()) {
  const Grid grid = any_grid(7);
  const Machine machine = any_wafer(grid);
  const Flood flood = any_flood();
  const Schedule schedule = test::reduce_xy(grid, *rc::gen::inRange(1, 6), any_tree, flood);
  RC_ASSERT(problem_of(schedule, machine) == "");
  RC_ASSERT(colors_of(schedule, machine) <= (is_line(grid) ? 2U : 4U) + (flood != Flood::none ? 1U : 0U));
}

RC_GTEST_PROP(GridProperty, AnyAllReduceOfRowsThenColumnsRunsWithinItsColors, ()) {
  const Grid grid = any_grid(6);
  const Machine machine = any_wafer(grid);
  const Schedule schedule = test::allreduce_x_then_y(grid, *rc::gen::inRange(1, 6), any_tree);
  RC_ASSERT(problem_of(schedule, machine) == "");
  if (is_line(grid)) RC_ASSERT(colors_of(schedule, machine) <= 3U);
  RC_ASSERT(colors_of(schedule, machine) <= (as<Mesh>(machine)->switch_both_sides ? 5U : 6U));
}

RC_GTEST_PROP(GridProperty, AnySnakeRunsOnTwoColors, ()) {
  const Grid grid = any_grid(6);
  const Machine machine = any_wafer({grid.width, grid.height});
  const Flood flood = any_flood();
  const Schedule schedule = test::reduce_forest(test::snake_of(grid), 0, *rc::gen::inRange(1, 6), flood);
  RC_ASSERT(problem_of(schedule, machine) == "");
  RC_ASSERT(colors_of(schedule, machine) <= (flood != Flood::none ? 3U : 2U));
}

RC_GTEST_PROP(GridProperty, AnyRingRunsOnThreeColors, ()) {
  const auto size = *rc::gen::inRange<NodeId>(2, 10);
  const Machine machine = any_wafer({size, 1});
  const auto count = *rc::gen::inRange<std::int64_t>(1, 40);
  const bool folded = *rc::gen::arbitrary<bool>();
  const Schedule schedule = test::ring_allreduce(folded ? test::folded_ring(size) : test::plain_ring(size), count);
  RC_ASSERT(problem_of(schedule, machine) == "");
  if (count >= size) RC_ASSERT(colors_of(schedule, machine) <= 3U);  // else some blocks are empty, and rounds differ
}

/// Any forest of messages that turn corners, taken in any order.
RC_GTEST_PROP(GridProperty, AnyForestThatIsVerifiedRuns, ()) {
  const Grid grid = any_grid(4);
  Machine machine = any_wafer(grid);
  test::mesh_of(machine).input_queues = test::mesh_of(machine).output_queues = 64;
  test::Forest forest = test::forest_of(grid.nodes());
  for (NodeId n = 1; n < grid.nodes(); ++n) {
    forest[static_cast<std::size_t>(*rc::gen::inRange<NodeId>(0, n))].push_back(n);
  }
  const Schedule schedule = test::reduce_forest(forest, 0, *rc::gen::inRange(1, 5), any_flood());
  const std::string problem = problem_of(schedule, machine);
  RC_CLASSIFY(problem.empty(), "lowered");
  RC_ASSERT(problem == "" || problem.starts_with("colors"));
}

}  // namespace
}  // namespace muster::wafer
