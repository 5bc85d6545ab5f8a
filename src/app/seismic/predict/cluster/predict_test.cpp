#include "app/seismic/predict/predict.h"

#include <gtest/gtest.h>

#include <set>

#include "app/seismic/predict/cluster/exchange_schedule.h"
#include "base/rejection_test_support.h"
#include "machine/test_clusters.h"
#include "schedule/phase.h"

namespace muster::seismic {
namespace {

TEST(Placement, NeighboursDifferInOneCoordinateByOne) {
  for (const Machine& machine : small_clusters()) {
    const Cluster& cluster = *as<Cluster>(machine);
    for (const Placement& placement : placements(cluster)) {
      const PerAxis<int>& counts = placement.counts();
      std::set<NodeId> all;
      PerAxis<int> at{};
      for (at.x = 0; at.x < counts.x; ++at.x) {
        for (at.y = 0; at.y < counts.y; ++at.y) {
          for (at.z = 0; at.z < counts.z; ++at.z) {
            all.insert(placement.npu(at));
            for (const Axis axis : kAxes) {
              PerAxis<int> next = at;
              if (++next[axis] == counts[axis]) continue;
              const std::size_t dimension = placement.dimension_behind(axis, at[axis]);
              for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
                const int apart =
                    std::abs(coordinate(cluster, placement.npu(at), d) - coordinate(cluster, placement.npu(next), d));
                EXPECT_EQ(apart, d == dimension ? 1 : 0);
              }
            }
          }
        }
      }
      EXPECT_EQ(static_cast<NodeId>(all.size()), rank_count(cluster));
    }
  }
}

TEST(ExchangeSchedule, GivesEveryProcessASpanPerSide) {
  for (const Machine& machine : small_clusters()) {
    const Cluster& cluster = *as<Cluster>(machine);
    for (const Placement& placement : placements(cluster)) {
      const Schedule schedule = exchange_schedule(cluster, placement, {30, 20, 10});
      std::set<std::pair<NodeId, std::int64_t>> taken;  // an NPU, and where its span begins
      std::size_t pairs = 0;
      for (const muster::Phase& phase : schedule.phases) {
        for (const Group& group : groups_of(schedule, phase)) {
          ASSERT_EQ(group.members.size(), 2U);
          ++pairs;
          const std::int64_t first = schedule.spans.ranges(group.on).front().first;
          for (const NodeId member : group.members) EXPECT_TRUE(taken.emplace(member, first).second);
        }
      }
      const PerAxis<int>& n = placement.counts();
      const int expected = (n.x - 1) * n.y * n.z + n.x * (n.y - 1) * n.z + n.x * n.y * (n.z - 1);
      EXPECT_EQ(pairs, static_cast<std::size_t>(expected));
    }
  }
}

constexpr std::string_view kShot = R"(
propagator = "acoustic_iso_cd"
grid = "64x64x64"
spacing = "10 m"
steps = 10
cfl = 0.5
[model]
kind = "constant"
vp = "2000 m/s"
[boundaries]
all = "zero"
[[source]]
position = ["100 m", "100 m", "100 m"]
frequency = "20 Hz"
)";

TEST(Predict, TakesAsLongAsTheLinksNeed) {
  // Two NPUs share the cells in halves, and swap 4 x 64 x 64 numbers over a link of 25 GB/s; then 700 ns.
  Cluster cluster;
  cluster.dimensions = {{.kind = Cluster::Kind::ring,
                         .size = 2,
                         .link_bandwidth = BytesPerSecond(25e9),
                         .links = 1,
                         .latency = Seconds(700e-9)}};
  cluster.buffer_chunks = 2;
  const Machine machine{.name = "two", .summary = "two NPUs", .network = cluster};
  const CommunicationPrediction prediction = predict(read_shot(kShot, "shot.toml"), machine);
  EXPECT_EQ(prediction.ranks, 2);
  EXPECT_EQ(prediction.sent.value(), 2 * 4 * 64 * 64 * 4);
  EXPECT_EQ(prediction.messages, 2);
  ASSERT_EQ(prediction.exchanges.size(), 1U);
  EXPECT_NEAR(prediction.exchange.value(), 4 * 64 * 64 * 4 / 25e9 + 700e-9, 1e-9);
  EXPECT_GT(prediction.sum.value(), 700e-9);
}

TEST(Predict, RefusesMoreProcessesThanTheGridCanHave) {
  Cluster cluster;
  cluster.dimensions = {{.kind = Cluster::Kind::ring,
                         .size = 64,
                         .link_bandwidth = BytesPerSecond(25e9),
                         .links = 1,
                         .latency = Seconds(700e-9)}};
  cluster.buffer_chunks = 2;
  const Machine machine{.name = "long", .summary = "a ring", .network = cluster};
  EXPECT_NE(rejection([&] { predict(read_shot(kShot, "shot.toml"), machine); }).find("64 NPUs of long cannot share"),
            std::string::npos);
}

}  // namespace
}  // namespace muster::seismic
