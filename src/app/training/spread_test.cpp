#include "app/training/spread.h"

#include <gtest/gtest.h>

#include <numeric>

#include "machine/cluster.h"

namespace muster::training {
namespace {

/// Two rings of four NPUs, both ways, of 1 GB/s each.
TrainRequest on_two_rings(Scope scope, std::int64_t model_npus) {
  Cluster cluster;
  for (int d = 0; d < 2; ++d) {
    cluster.dimensions.push_back({.kind = Cluster::Kind::ring,
                                  .size = 4,
                                  .link_bandwidth = BytesPerSecond(5e8),
                                  .links = 2,
                                  .latency = Seconds(0)});
  }
  cluster.buffer_chunks = 2;
  const Communication gradients{.collective = Collective::allreduce, .bytes = Bytes(4'000'000), .scope = scope};
  Workload workload{.name = "w", .file = "w.toml", .layers = {}};
  workload.layers.push_back(
      {.name = "layer", .weight_gradient = {.compute = Seconds(1e-6), .communication = gradients}});
  workload.model_npus = static_cast<std::int32_t>(model_npus);
  return {.machine = {.name = "rings", .summary = "", .network = cluster}, .workload = workload, .chunks = 16};
}

double total(const std::vector<BytesPerSecond>& bandwidths) {
  return std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0,
                         [](double sum, BytesPerSecond bandwidth) { return sum + bandwidth.value(); });
}

TEST(Spread, GivesNearlyAllToTheDimensionThatIsUsed) {
  // Models of four NPUs are the first ring, so weights are exchanged along the second one alone.
  const AdviceAnswer::Spread spread = best_spread(on_two_rings(Scope::data, 4));
  ASSERT_EQ(spread.bandwidths.size(), 2U);
  EXPECT_NEAR(total(spread.bandwidths), 2e9, 1);
  EXPECT_GT(spread.bandwidths[1].value(), 0.95 * 2e9);
  EXPECT_GT(spread.now / spread.best, 1.9);
  EXPECT_LE(spread.now / spread.best, 2.0);
  EXPECT_GT(spread.tried, 4);
}

TEST(Spread, KeepsTheMachinesOwnWhereNoneIsFaster) {
  // With both rings in use, any spread between a fifth and four fifths can be used up: the halves are as good as any.
  const AdviceAnswer::Spread spread = best_spread(on_two_rings(Scope::all, 1));
  EXPECT_NEAR(total(spread.bandwidths), 2e9, 1);
  EXPECT_LE(spread.best, spread.now);
  EXPECT_LT(spread.now / spread.best, 1.1);
}

}  // namespace
}  // namespace muster::training
