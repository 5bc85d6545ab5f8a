#include "app/stencil/time_step.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "plan/plan_test_support.h"
#include "plan/stages.h"

namespace muster::stencil {
namespace {

std::vector<float> some_weights(std::int64_t radius, float first) {
  std::vector<float> weights;
  for (std::int64_t m = 0; m < radius; ++m) weights.push_back(first / static_cast<float>((m + 1) * (m + 2)));
  return weights;
}

Job job_on(NodeId columns, NodeId rows) {
  Job job{.machine = with_grid(shipped_machine("wse2"), columns, rows), .collective = Collective::stencil};
  job.engine = Engine::cycle;
  return job;
}

/// Sources may share cells, receivers not their places.
std::vector<StencilPoints> random_points(const TimeStep& step, bool are_receivers) {
  std::vector<StencilPoints> points;
  std::int64_t next = 0;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    const std::int64_t cell = *rc::gen::inRange<std::int64_t>(0, step.cells);
    const std::int64_t count = *rc::gen::inRange<std::int64_t>(1, step.cells - cell + 1);
    const std::int64_t margin = std::ssize(step.weights.z);
    points.push_back({.rank = *rc::gen::inRange(0, step.columns * step.rows),
                      .elements = {margin + cell, count},
                      .first = are_receivers ? next : *rc::gen::inRange<std::int64_t>(0, 4)});
    next += count;
  }
  return points;
}

TimeStep random_step() {
  TimeStep step{.columns = *rc::gen::inRange(1, 9), .rows = *rc::gen::inRange(1, 9)};
  step.cells = *rc::gen::inRange(1, 20);
  step.block = *rc::gen::inRange(1, 20);
  step.weights.centre = -1.75F;
  const int radius = *rc::gen::inRange(1, 5);
  step.weights.x = some_weights(radius, 0.8F);
  step.weights.y = some_weights(*rc::gen::element(0, radius), 0.7F);
  step.weights.z = some_weights(*rc::gen::inRange(0, 5), -0.3F);
  step.has_velocity = *rc::gen::arbitrary<bool>();
  step.has_damping = *rc::gen::arbitrary<bool>();
  step.sources = random_points(step, false);
  step.receivers = random_points(step, true);
  return step;
}

RC_GTEST_PROP(TimeStep, IsProvenAndRunsAsTheReferenceDoes, ()) {
  const TimeStep step = random_step();
  const Job job = job_on(step.columns, step.rows);
  const auto run = run_stages(job, make_time_step(step), {.name = "a time step"});
  RC_LOG() << (run ? run.value().verdict.counterexample ? run.value().verdict.counterexample->message : ""
                   : run.reason());
  RC_ASSERT(run);
  RC_ASSERT(run.value().verdict.verified());
  RC_LOG() << (run.value().result->fault ? run.value().result->fault->message : "");
  RC_ASSERT(run.value().correct());
  RC_ASSERT(run.value().comparison.compared > 0);
}

RC_GTEST_PROP(TimeStep, IsRepeatedWithTheBuffersExchanged, ()) {
  TimeStep step = random_step();
  step.record_every = *rc::gen::inRange(1, 5);
  const Job job = job_on(step.columns, step.rows);
  const std::int64_t steps = *rc::gen::inRange(1, 8);
  const auto run = run_stages(job, make_time_steps(step, steps), {.name = "time steps"});
  RC_LOG() << (run ? run.value().verdict.counterexample ? run.value().verdict.counterexample->message : ""
                   : run.reason());
  RC_ASSERT(run);
  RC_ASSERT(run.value().verdict.verified());
  RC_LOG() << (run.value().result->fault ? run.value().result->fault->message : "");
  RC_LOG() << run.value().comparison.difference.value_or("");
  RC_ASSERT(run.value().correct());
  const auto column =
      step.cells + 2 * static_cast<std::int64_t>(step.weights.z.size());  // the margins are compared, too
  RC_ASSERT(run.value().comparison.compared >= step.columns * step.rows * column);
}

TEST(TimeStep, NeedsOneColorForEachDirection) {
  TimeStep step{.columns = 12, .rows = 11, .cells = 10, .block = 5};
  step.weights = {.centre = 1, .x = some_weights(4, 1), .y = some_weights(4, 1), .z = some_weights(4, 1)};
  const Job job = job_on(12, 11);
  const auto program = lower_for(job, make_time_step(step));
  ASSERT_TRUE(program) << program.reason();
  EXPECT_EQ(program.value()->facts().channels, 4);
}

}  // namespace
}  // namespace muster::stencil
