#include "machine/cluster.h"

#include <gtest/gtest.h>

#include "backend/cluster/cluster.h"
#include "backend/cluster/test_parts.h"
#include "schedule/builder.h"

namespace muster::cluster {
namespace {

/// 2 x 2 NPUs: 1 GB/s and 1 us along the first dimension, half and twice that along the second.
Machine square() {
  Cluster cluster;
  for (const double factor : {1.0, 2.0}) {
    cluster.dimensions.push_back({.kind = Cluster::Kind::ring,
                                  .size = 2,
                                  .link_bandwidth = BytesPerSecond(1e9 / factor),
                                  .links = 1,
                                  .latency = Seconds(1e-6 * factor)});
  }
  cluster.buffer_chunks = 2;
  return Machine{.name = "square", .summary = "", .network = cluster};
}

/// Two chunks of 1000 words along the first dimension; the first continues along the second.
Schedule two_chunks() {
  ScheduleBuilder b({.nodes = 4, .count = 2000, .output = 0});
  const SpanId whole = b.span({0, 1000}), low = b.span({0, 500}), high = b.span({500, 500});
  const auto rows = b.groups({{{0, 1}, whole}, {{2, 3}, whole}});
  const auto columns = b.groups({{{0, 2}, low}, {{1, 3}, high}});
  const auto wide = b.part(halves(1000)), narrow = b.part(halves(500));
  const auto first = b.phase({.part = wide, .groups = rows, .output = Buffer::input});
  b.phase({.part = wide, .groups = rows, .offset = 1000, .output = Buffer::input});
  b.phase({.part = narrow, .groups = columns, .output = Buffer::input, .after = {first}});
  return std::move(b).finish();
}

TEST(ClusterProgram, SendsOneOperationAfterAnotherAndHidesTheLatencyBehindTheNext) {
  const auto program = lower(two_chunks(), square(), {});
  ASSERT_TRUE(program.ok()) << program.reason();
  ASSERT_EQ(program.value()->operations.size(), 3U);
  // 500 words of 4 bytes at 1 GB/s: 2 us. The second chunk follows at once. The first has arrived at 3 us, then takes
  // 250 words at 0.5 GB/s, 2 us, and 2 us until they have arrived.
  const Result result = simulate(*program.value(), {.timeline = true});
  EXPECT_DOUBLE_EQ(result.seconds.value(), 7e-6);
  ASSERT_EQ(result.resources.size(), 2U);
  EXPECT_EQ(result.resources[0].bytes, Bytes(4 * 2 * 2000));
  EXPECT_DOUBLE_EQ(result.resources[0].busy.value(), 4e-6);
  EXPECT_DOUBLE_EQ(result.resources[0].utilization, 4.0 / 7);
  EXPECT_EQ(result.resources[1].bytes, Bytes(4 * 1000));
  EXPECT_DOUBLE_EQ(result.utilization, (16000.0 + 4000.0) / (4 * 1.5e9 * 7e-6));
  ASSERT_TRUE(result.timeline);
  EXPECT_EQ(result.timeline->spans.size(), 3U);
  EXPECT_EQ(result.timeline->spans[1].begin, Ticks(2'000'000));
  EXPECT_EQ(result.timeline->spans[1].label, "reduce-scatter of chunk 2, 1000 words");
  EXPECT_EQ(result.timeline->spans[2].mark, "1");
  EXPECT_EQ(result.timeline->kinds, std::vector<std::string>{"reduce-scatter"});
}

TEST(ClusterProgram, IsRefusedWhereAPhaseCrossesDimensions) {
  ScheduleBuilder b({.nodes = 4, .count = 10, .output = 0});
  const auto diagonal = b.groups({{{0, 3}, b.span({0, 10})}});
  b.phase({.part = b.part(halves(10)), .groups = diagonal, .output = Buffer::input});
  const auto program = lower(std::move(b).finish(), square(), {});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.reason(), "phase 0 does not stay in one dimension");
}

TEST(ClusterProgram, IsRefusedWhereTheScheduleIsFlat) { EXPECT_FALSE(lower(halves(10), square(), {}).ok()); }

}  // namespace
}  // namespace muster::cluster
