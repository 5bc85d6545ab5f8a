// How near predictions are to simulations.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "app/stencil/bounds.h"
#include "app/stencil/mesh.h"
#include "app/stencil/run.h"
#include "app/stencil/slots.h"
#include "machine/family.h"
#include "plan/plan_test_support.h"

namespace muster::stencil {
namespace {

struct Timed {
  std::int64_t simulated = 0;
  std::int64_t predicted = 0;
  [[nodiscard]] double error() const { return static_cast<double>(predicted) / static_cast<double>(simulated) - 1; }
};

Timed timed(const Description& description, std::int64_t block) {
  const Machine machine = with_grid_of(shipped_machine("wse2-paper"), description);
  const auto run = simulate_grid(job_of(machine, description), description, block);
  EXPECT_TRUE(run && run.value().correct());
  return {run.value().result->cycles->value(), predicted_cycles(description, block, machine)};
}

TEST(Prediction, OfInnerColumnsIsWithinThreePercent) {
  for (const int order : {2, 4, 6, 8}) {
    for (const std::int64_t block : {5, 20, 60}) {
      for (const std::int64_t steps : {1, 3}) {
        const Description description{.columns = 10, .rows = 11, .cells = 60, .order = order, .steps = steps};
        EXPECT_LT(std::abs(timed(description, block).error()), 0.03) << order << " " << block << " " << steps;
      }
    }
  }
}

/// Blocks of one or two cells are not predicted well on grids without inner PEs.
RC_GTEST_PROP(Prediction, IsNoFartherThanAFewTurnsAndBoundsAreBelow, ()) {
  Description description{.columns = *rc::gen::inRange(1, 12), .rows = *rc::gen::inRange(1, 12)};
  description.cells = *rc::gen::inRange(1, 30);
  description.order = 2 * *rc::gen::inRange(1, 5);
  description.steps = *rc::gen::inRange(1, 4);
  const std::int64_t block =
      *rc::gen::inRange<std::int64_t>(std::min<std::int64_t>(3, description.cells), description.cells + 1);
  const Timed time = timed(description, block);
  RC_LOG() << grid_text(description) << " order " << description.order << " block " << block << ": " << time.simulated
           << " simulated, " << time.predicted << " predicted";
  const Machine machine = with_grid_of(shipped_machine("wse2-paper"), description);
  for (const BoundAnswer& bound : bounds_of(description, machine)) {
    RC_ASSERT(bound.cycles->value() <= time.simulated);
  }
  // No simulation is faster than the slots of the PE in the middle.
  RC_ASSERT(slots_per_cell(description) * description.cells * description.steps <= time.simulated);
  const std::int64_t turns = description.steps * (description.radius() + 1) * (2 * block + 15);
  RC_ASSERT(std::abs(time.predicted - time.simulated) <= turns + time.simulated / 20);
}

TEST(Slots, AreThoseOfThePublishedProgramAndSevenOfThemItsOwnWords) {
  const Description inner{.columns = 20, .rows = 20, .cells = 10};
  EXPECT_EQ(slots_per_cell(inner), 49);
  const Description radius_one{.columns = 20, .rows = 20, .cells = 10, .order = 2};
  EXPECT_EQ(slots_per_cell(radius_one), 4 + 4 + 5 + 2 + 1);
  const Description alone{.columns = 1, .rows = 1, .cells = 10};
  EXPECT_EQ(slots_per_cell(alone), 1 + 8 + 1) << "a product, the column, a difference";
}

TEST(Bounds, AreThoseThatAPersonCounts) {
  const Description inner{.columns = 20, .rows = 20, .cells = 100};
  const Machine machine = with_grid_of(shipped_machine("wse2-paper"), inner);
  const std::vector<BoundAnswer> bounds = bounds_of(inner, machine);
  ASSERT_EQ(bounds.size(), 4U);
  // 16 neighbours, the cell and the one before less one, and the column: 2 (99 + 98 + 97 + 96) terms.
  EXPECT_EQ(bounds[0].cycles->value(), 16 * 100 + 100 + 780 + 100);
  EXPECT_EQ(bounds[1].cycles->value(), 16 * 100);
  EXPECT_EQ(bounds[2].cycles->value(), 16 * 100 + 100 + 780 + 100 + 16 * 100);
  EXPECT_FALSE(bounds[2].for_pipeline);
  EXPECT_EQ(bounds[3].cycles->value(), (16 * 100 + 100 + 780) / 2);
}

/// The estimate of memory is that of the lowering, so that what fits here fits there.
TEST(Columns, ThatFitAreLowered) {
  for (const int order : {2, 8}) {
    Description description{.columns = 9, .rows = 9, .cells = 2, .order = order};
    const Machine machine = with_grid_of(shipped_machine("wse2-paper"), description);
    const Bytes memory = *machine.family().memory_per_rank(machine.network);
    description.cells = *largest_column(column_of(description), memory);
    const std::int64_t block = *largest_block(column_of(description), memory);
    const auto program = lower_for(job_of(machine, description), make_time_step(time_step_of(description, block)));
    EXPECT_TRUE(program) << (program ? "" : program.reason());
    const std::int64_t smallest = smallest_block(column_of(description), memory, 1);
    EXPECT_TRUE(lower_for(job_of(machine, description), make_time_step(time_step_of(description, smallest))));
  }
}

TEST(SmallGrid, HasEveryNeighbourhoodOfTheLargeOne) {
  for (const NodeId length : {1, 5, 12, 13, 14, 18, 755, 994}) {
    const Description large{.columns = length, .rows = length, .cells = 7};
    const NodeId small = small_grid(large).columns;
    const NodeId radius = 4;
    EXPECT_LE(small, 17);
    const auto neighbourhood = [&](NodeId x, NodeId all) {
      return std::vector<NodeId>{std::min(x, radius), std::min(all - 1 - x, radius), x % 5, (all - 1 - x) % 5};
    };
    for (NodeId x = 0; x < length; ++x) {
      bool is_found = false;
      for (NodeId y = 0; y < small; ++y) is_found |= neighbourhood(x, length) == neighbourhood(y, small);
      EXPECT_TRUE(is_found) << x << " of " << length;
    }
  }
}

}  // namespace
}  // namespace muster::stencil
