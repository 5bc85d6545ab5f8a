#include "app/training/answers.h"

#include <gtest/gtest.h>

namespace muster::training {
namespace {

Breakdown breakdown_of(std::array<std::int64_t, kShares> microseconds, std::int64_t communicating) {
  Breakdown breakdown;
  for (std::size_t i = 0; i < kShares; ++i) {
    breakdown.parts[i] = Ticks(microseconds[i] * 1'000'000);
    breakdown.end += breakdown.parts[i];
  }
  breakdown.communicating = Ticks(communicating * 1'000'000);
  return breakdown;
}

TEST(IterationAnswer, HasEveryShareInItsPlace) {
  const IterationAnswer answer =
      iteration_answer({.scheduler = "themis", .order = "scf"}, breakdown_of({1, 2, 4, 8, 16, 32}, 0));
  EXPECT_EQ(answer.name(), "themis scf");
  EXPECT_DOUBLE_EQ(answer.forward.value(), 1e-6);
  EXPECT_DOUBLE_EQ(answer.input_gradient.value(), 2e-6);
  EXPECT_DOUBLE_EQ(answer.weight_gradient.value(), 4e-6);
  EXPECT_DOUBLE_EQ(answer.update.value(), 8e-6);
  EXPECT_DOUBLE_EQ(answer.exposed_model.value(), 16e-6);
  EXPECT_DOUBLE_EQ(answer.exposed_data.value(), 32e-6);
  EXPECT_DOUBLE_EQ(answer.total.value(), 63e-6);
}

TEST(IterationAnswer, UsesBandwidthOnlyWhileSomethingIsUnderWay) {
  const auto utilization = [](double sent, std::int64_t communicating) {
    return iteration_answer({.scheduler = "ideal", .sent = sent, .bandwidth = BytesPerSecond(4e9)},
                            breakdown_of({10, 0, 0, 0, 0, 0}, communicating))
        .utilization;
  };
  EXPECT_DOUBLE_EQ(utilization(4000, 2), 0.5);
  EXPECT_DOUBLE_EQ(utilization(4000, 1), 1);
  EXPECT_EQ(utilization(0, 0), 0) << "nothing was sent at all";
}

}  // namespace
}  // namespace muster::training
