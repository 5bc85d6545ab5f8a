// Every registered algorithm's formula against the simulator, within the tolerance of its registry entry.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "plan/plan_test_support.h"

namespace muster {
namespace {

void check_prediction(const Algorithm& one, Job job) {
  job.collective = one.collective;
  if (one.family != family_name(job.machine) || one.unsupported(request_of(job))) return;
  const SimulationAnswer answer = simulate(job, choose(job, one.name, {}));
  ASSERT_TRUE(answer.result.cycles && answer.result_correct) << one.name;
  const std::int64_t simulated = answer.result.cycles->value();
  const std::int64_t difference = std::abs(answer.predicted_cycles->value() - simulated);
  const double allowed = static_cast<double>(one.cost_tolerance.cycles.value()) +
                         one.cost_tolerance.fraction * static_cast<double>(simulated);
  EXPECT_LE(static_cast<double>(difference), allowed)
      << one.name << " on " << shape_text(job.machine) << ", root " << job.root << ", " << job.count
      << " words: predicted " << answer.predicted_cycles->value() << ", simulated " << simulated;
}

TEST(EveryPrediction, IsWithinItsTolerance) {
  for (const Algorithm& one : algorithms()) {
    for (const std::int32_t length : {1, 2, 3, 4, 5, 9, 16, 40}) {
      for (const std::int64_t count : {1, 2, 7, 33, 256}) {
        for (const NodeId root : {0, length / 4, length / 2, length - 1}) {
          check_prediction(one, wafer_job(one.collective, length, 1, count, root));
        }
      }
    }
    check_prediction(one, wafer_job(one.collective, 1, 13, 50, 4));
    check_prediction(one, wafer_job(one.collective, 7, 5, 50, 17));
  }
}

}  // namespace
}  // namespace muster
