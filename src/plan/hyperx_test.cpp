#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "machine/families.h"
#include "machine/routing.h"
#include "machine/test_hyperx.h"
#include "plan/plan.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

/// Few cores, so that packets can be moved one by one.
Machine small_hyperx() {
  std::vector<std::int32_t> shape(*rc::gen::inRange<std::size_t>(0, 3));
  for (std::int32_t& nodes : shape) nodes = *rc::gen::inRange(2, 4);
  Machine machine = test_hyperx(shape, *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 3));
  as<HyperX>(machine)->buffer_packets = *rc::gen::element(1, 2, 7, 128);
  return machine;
}

Job any_job() {
  Job job;
  job.machine = small_hyperx();
  job.collective = *rc::gen::element(Collective::allreduce, Collective::reduce, Collective::broadcast,
                                     Collective::barrier, Collective::scan);
  job.arithmetic = {.type = *rc::gen::element(ElementType::f32, ElementType::i32, ElementType::f16),
                    .op = *rc::gen::element(Operator::sum, Operator::max, Operator::min, Operator::prod)};
  job.count = job.collective == Collective::barrier ? 1 : *rc::gen::inRange<std::int64_t>(1, 40);
  if (has_root(job.collective)) job.root = *rc::gen::inRange<NodeId>(0, rank_count(job.machine));
  return job;
}

RC_GTEST_PROP(HyperXPlan, BothEnginesTakeWhatIsPredictedAndComputeTheReference, ()) {
  Job job = any_job();
  const Choice choice = choose(job, "in-network", {});
  const SimulationAnswer lines = simulate(job, choice);
  job.engine = Engine::cycle;
  const SimulationAnswer packets = simulate(job, choice);
  RC_ASSERT(lines.verified && lines.result_computed && lines.result_correct);
  RC_ASSERT(packets.verified && packets.result_computed && packets.result_correct);
  RC_ASSERT(lines.result.seconds == packets.result.seconds);
  RC_ASSERT(lines.result.node_times == packets.result.node_times);
  if (as<HyperX>(job.machine)->buffer_packets >= 100) {
    const double predicted = lines.predicted_seconds->value();
    const double simulated = lines.result.seconds.value();
    const double tolerance = choice.algorithm->cost_tolerance.fraction;
    RC_ASSERT(std::abs(simulated - predicted) <= tolerance * simulated);
  }
  if (lines.bound) RC_ASSERT(lines.result.seconds >= lines.bound->seconds);
}

RC_GTEST_PROP(HyperXPlan, StallsLoseNothing, ()) {
  Job job = any_job();
  const Choice choice = choose(job, "in-network", {});
  const SimulationAnswer alike = simulate(job, choice);
  auto& asked = job.options.of<HyperXOptions>();
  const NodeId ranks = rank_count(job.machine);
  asked.slow[*rc::gen::inRange<NodeId>(0, ranks)] = *rc::gen::element(1.5, 3.0, 20.0);
  asked.late[*rc::gen::inRange<NodeId>(0, ranks)] = Seconds(*rc::gen::element(1e-9, 1e-6, 1e-3));
  const SimulationAnswer lines = simulate(job, choice);
  job.engine = Engine::cycle;
  const SimulationAnswer packets = simulate(job, choice);
  RC_ASSERT(packets.result_correct && lines.result_correct);
  RC_ASSERT(packets.result.node_times == lines.result.node_times);
  RC_ASSERT(packets.result.seconds >= alike.result.seconds);
}

TEST(HyperXPlan, TwoGroupsRunSideBySide) {
  Job job{.machine = test_hyperx({4}, 2, 2, 1), .collective = Collective::allreduce, .count = 5};
  job.options.of<HyperXOptions>().groups = {{0, 2}, {1, 3}};
  const SimulationAnswer answer = simulate(job, choose(job, "in-network", {}));
  EXPECT_TRUE(answer.verified && answer.result_correct);
  EXPECT_EQ(answer.checked_elements, 5 * rank_count(job.machine));
}

TEST(HyperXPlan, OneElementOnAThousandNodesTakesLessThanAMicrosecond) {
  Job job{.machine = with_nodes(shipped_machine("piuma"), 1024), .collective = Collective::allreduce, .count = 1};
  const SimulationAnswer answer = simulate(job, choose(job, "in-network", {}));
  EXPECT_TRUE(answer.verified);
  EXPECT_LT(answer.result.seconds, Seconds(1e-6));
}

}  // namespace
}  // namespace muster
