// The phases of a split reduce: each job of each row once, and no PE's jobs in another order than its row's.
#include "collective/grid/split_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "collective/collective_test_support.h"
#include "machine/mesh.h"

namespace muster {
namespace {

struct Case {
  SplitGrid grid;
  SplitTimetable table;
};

/// `height` rows, columns as chains or as stars.
Case any_case() {
  const auto width = *rc::gen::inRange(3, 30), height = *rc::gen::inRange(2, 12);
  SplitGrid grid{
      .width = width, .height = height, .root_x = *rc::gen::inRange(0, width), .root_y = *rc::gen::inRange(0, height)};
  if (grid.root_x + 1 > width - grid.root_x) grid.direction = -1;
  grid.parts = *rc::gen::inRange(1, grid.far_length(0));
  const auto tree = [&](std::int32_t length, bool is_chain) {
    return ReductionTree::from(length, [=](std::int32_t x) { return is_chain ? x - 1 : 0; });
  };
  const bool waves = *rc::gen::arbitrary<bool>();
  const std::int32_t above = grid.root_y + 1, below = height - grid.root_y;
  const ReductionTree far = tree(grid.far_length(0), true);
  const ReductionTree shorter = tree(std::min(above, below), waves), longer = tree(std::max(above, below), waves);
  const Machine wafer = ideal_wafer(width, height);
  const SplitTrees trees{.far = &far, .columns = {&shorter, &longer}, .waves = waves};
  return {grid, split_timetable(grid, trees, *rc::gen::inRange(1, 100), *as<Mesh>(wafer))};
}

RC_GTEST_PROP(SplitPhases, HaveEachJobOfEachRowOnce, ()) {
  const Case c = any_case();
  using Key = std::tuple<std::size_t, SplitJob::Kind, std::int32_t, std::int32_t>;  // row, kind, part, side
  std::multiset<Key> jobs, found;
  for (std::size_t y = 0; y < c.table.rows.size(); ++y) {
    for (const SplitJob& job : c.table.rows[y]) jobs.emplace(y, job.kind, job.part, job.side);
  }
  for (const SplitPhase& phase : split_phases(c.grid, c.table)) {
    RC_ASSERT(std::is_sorted(phase.rows.begin(), phase.rows.end()));
    for (const std::int32_t y : phase.rows) {
      found.emplace(static_cast<std::size_t>(y), phase.kind, phase.part, phase.side);
    }
  }
  RC_ASSERT(found == jobs);
}

/// Whether a row's job occupies a target.
bool occupies(const SplitGrid& grid, const SplitJob& job, std::int32_t y, std::int32_t target) {
  if (job.kind == SplitJob::Kind::column) return target == job.part;
  if (job.kind == SplitJob::Kind::far) return target >= job.part;
  return target <= job.part && target >= grid.first_near_target(job.part, y);
}

RC_GTEST_PROP(SplitPhases, KeepTheOrderOfEveryTarget, ()) {
  const Case c = any_case();
  const std::vector<SplitPhase> phases = split_phases(c.grid, c.table);
  const auto number_of = [&](const SplitJob& job, std::int32_t y) {
    const auto found = std::find_if(phases.begin(), phases.end(), [&](const SplitPhase& phase) {
      return job.kind == phase.kind && job.part == phase.part && job.side == phase.side &&
             std::binary_search(phase.rows.begin(), phase.rows.end(), y);
    });
    return found - phases.begin();
  };
  for (std::int32_t y = 0; y < c.grid.height; ++y) {
    for (std::int32_t target = 0; target < c.grid.parts; ++target) {
      std::ptrdiff_t before = -1;
      for (const SplitJob& job : c.table.rows[static_cast<std::size_t>(y)]) {
        if (!occupies(c.grid, job, y, target)) continue;
        RC_ASSERT(number_of(job, y) > before);
        before = number_of(job, y);
      }
    }
  }
}

}  // namespace
}  // namespace muster
