// A time step that is lowered for a small grid and widened is the program that a large grid is lowered to.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "app/stencil/time_step.h"
#include "backend/capabilities.h"
#include "plan/job.h"
#include "plan/plan_test_support.h"
#include "plan/stages.h"

namespace muster::stencil {
namespace {

TimeStep step_on(NodeId columns, NodeId rows, int radius, int radius_z) {
  TimeStep step{.columns = columns, .rows = rows, .cells = 5, .block = 3};
  const auto weights = [](int count) {
    std::vector<float> all;
    for (int m = 0; m < count; ++m) all.push_back(1.0F / static_cast<float>(m + 2));
    return all;
  };
  step.weights = {.centre = -1, .x = weights(radius), .y = weights(radius), .z = weights(radius_z)};
  return step;
}

Job job_on(NodeId columns, NodeId rows) {
  Job job{.machine = with_grid(shipped_machine("wse2-paper"), columns, rows), .collective = Collective::stencil};
  job.engine = Engine::cycle;
  return job;
}

Outcome<std::unique_ptr<Program>> program_of(const TimeStep& step, std::int64_t steps) {
  return lower_for(job_on(step.columns, step.rows), make_time_steps(step, steps));
}

/// Borders, and enough columns between them to see what repeats.
NodeId enough(NodeId lines, int radius) {
  const NodeId period = radius + 1, least = 4 * radius + 3 * period;
  return lines <= least ? lines : least + (lines - least) % period;
}

RC_GTEST_PROP(Widened, DoesAsTheProgramOfTheLargeGrid, ()) {
  const int radius = *rc::gen::inRange(1, 5), radius_z = *rc::gen::inRange(0, 5);
  const auto side = [] { return *rc::gen::element(1, *rc::gen::inRange(1, 41)); };
  const TimeStep large = step_on(side(), side(), radius, radius_z);
  TimeStep small = large;
  small.columns = enough(large.columns, radius);
  small.rows = enough(large.rows, radius);
  const std::int64_t steps = *rc::gen::inRange(1, 4);
  RC_LOG() << large.columns << "x" << large.rows << " from " << small.columns << "x" << small.rows << ", radius "
           << radius;
  const auto direct = program_of(large, steps), first = program_of(small, steps);
  RC_ASSERT(direct);
  RC_ASSERT(first);
  const Job job = job_on(large.columns, large.rows);
  const auto wide = lowering_for(job.machine).widened(*first.value(), job.machine, radius);
  if (!wide) RC_LOG() << wide.reason();
  RC_ASSERT(wide);
  RC_ASSERT(wide.value()->summary() == direct.value()->summary());
  const SimulateOptions options = simulate_options(job);
  const Result a = simulator_of(job).simulate(*wide.value(), options);
  const Result b = simulator_of(job).simulate(*direct.value(), options);
  RC_ASSERT(!a.fault);
  RC_ASSERT(a.outputs == b.outputs);
  RC_ASSERT(a.node_times == b.node_times);
  RC_ASSERT(a.hops == b.hops);
}

TEST(Widened, CoversTheWholeWafer) {
  const auto small = program_of(step_on(30, 29, 4, 4), 1000);
  ASSERT_TRUE(small) << small.reason();
  const Machine whole = job_on(755, 994).machine;
  const auto wide = lowering_for(whole).widened(*small.value(), whole, 4);
  ASSERT_TRUE(wide) << wide.reason();
  EXPECT_EQ(wide.value()->facts().ranks.size(), std::size_t{755} * 994);
  EXPECT_EQ(wide.value()->facts().classes, small.value()->facts().classes);
}

TEST(Widened, SaysWhatDoesNotFit) {
  const auto small = program_of(step_on(28, 27, 4, 4), 1), tiny = program_of(step_on(9, 9, 4, 4), 1);
  ASSERT_TRUE(small) << small.reason();
  ASSERT_TRUE(tiny) << tiny.reason();
  const auto reason = [&](const Program& program, NodeId columns, NodeId rows) {
    const Machine machine = job_on(columns, rows).machine;
    const auto wide = lowering_for(machine).widened(program, machine, 4);
    return wide ? "" : wide.reason();
  };
  EXPECT_EQ(reason(*small.value(), 748, 992), "");
  EXPECT_EQ(reason(*small.value(), 749, 992), "28 columns cannot become 749: they repeat every 5");
  EXPECT_EQ(reason(*small.value(), 28, 20), "27 rows cannot become 20: there are too many");
  EXPECT_EQ(reason(*tiny.value(), 19, 9), "9 columns cannot become 19: they do not repeat");
}

}  // namespace
}  // namespace muster::stencil
