// Repetitions that are left out change nothing that is measured.
#include "backend/wafer/simulate/repetition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/simulate/engine.h"
#include "backend/wafer/simulate/test_runs.h"
#include "backend/wafer/test_stencil.h"

namespace muster::wafer {
namespace {

using test::Stencil;

/// Empty if both ways agree.
std::string difference(const WaferProgram& program, std::size_t strips, std::int64_t* skipped = nullptr) {
  const Spread spread{.strips = strips};
  const EngineRun plain = run_cycles(program, {.times_only = true}, {.spread = spread});
  const EngineRun run = run_cycles(program, {.times_only = true}, {.spread = spread, .skips_repetitions = true});
  if (skipped != nullptr) *skipped = run.skipped.steps;
  return test::difference_of_runs(run.result, run.traffic, plain.result, plain.traffic);
}

TEST(Repetition, IsFoundOnARowAfterAFewSteps) {
  std::int64_t skipped = 0;
  const Stencil s{.width = 12, .radius = 4, .cells = 20, .block = 7, .steps = 301};
  EXPECT_EQ(difference(stencil_program(s), 1, &skipped), "");
  EXPECT_GT(skipped, 200);
}

TEST(Repetition, LeavesOutMoreCyclesThanAnEngineCouldCount) {
  Stencil s{.width = 5, .radius = 2, .cells = 30, .block = 30, .steps = 100};
  const auto cycles = [&](int steps) {
    s.steps = steps;
    return run_cycles(stencil_program(s), {.times_only = true}, {.skips_repetitions = true}).result.cycles->value();
  };
  const std::int64_t few = cycles(1000), more = cycles(2000);
  EXPECT_EQ(cycles(1'000'000'000) - few, (more - few) * 999'999);
}

RC_GTEST_PROP(Repetition, ChangesNoTimeAndNoCount, ()) {
  const bool is_row = *rc::gen::arbitrary<bool>();
  Stencil s{.width = *rc::gen::inRange(1, 9), .height = is_row ? 1 : *rc::gen::inRange(1, 4)};
  s.radius = *rc::gen::inRange(1, 5);
  s.cells = *rc::gen::inRange(1, 14);
  s.block = *rc::gen::inRange<std::int64_t>(1, s.cells + 1);
  s.steps = *rc::gen::inRange(1, 40);
  s.begins_exchanged = *rc::gen::arbitrary<bool>();
  WaferProgram program = stencil_program(s);
  test::draw_parameters(test::mesh_of(program.machine));
  const std::string found = difference(program, *rc::gen::inRange<std::size_t>(1, 4));
  if (!found.empty()) RC_LOG() << s.width << "x" << s.height << ", " << s.steps << " steps: " << found;
  RC_ASSERT(found.empty());
}

}  // namespace
}  // namespace muster::wafer
