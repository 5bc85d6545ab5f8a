#include "collective/dimensions/scheduler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/index.h"
#include "base/source_dir.h"
#include "collective/bounds/bound.h"
#include "machine/cluster.h"
#include "machine/loader.h"
#include "machine/routing.h"
#include "machine/test_clusters.h"

namespace muster {
namespace {

constexpr std::int64_t kMillionBytes = 250'000;  // words

Machine shipped(const std::string& name) { return load_machine(source_dir() + "/machines/themis-" + name + ".toml"); }

std::vector<Machine> table_2() {
  std::vector<Machine> all;
  for (const char* name : {"2d-sw-sw", "3d-sw-sw-sw-homo", "3d-sw-sw-sw-hetero", "3d-fc-ring-sw", "4d-ring-sw-sw-sw",
                           "4d-ring-fc-ring-sw"}) {
    all.push_back(shipped(name));
  }
  return all;
}

ChunkedCollective allreduce(OperationTimes& times, std::int64_t words, std::int64_t chunks) {
  ChunkedCollective c{.times = times, .collective = Collective::allreduce, .chunks = {}};
  for (std::int64_t i = 0; i < chunks; ++i) c.chunks.push_back(block(words, chunks, i).count);
  return c;
}

/// Bytes sent, of those that all dimensions could have sent in that time.
double utilization(const ChunkedCollective& c, const ChunkPlan& plan) {
  double sent = 0, possible = 0;
  for (const ChunkOrder& chunk : plan.chunks) {
    for (const ChunkOperation& o : c.times.operations(chunk, c.collective)) {
      sent += static_cast<double>(o.sending.value()) * c.cluster().dimensions[at(o.dimension)].bandwidth().value();
    }
  }
  for (const Cluster::Dimension& d : c.cluster().dimensions) possible += d.bandwidth().value();
  return sent / (possible * static_cast<double>(plan.table.end.value()));
}

Cluster two_by_two(std::int32_t size, double bandwidth, double ratio) {
  Cluster cluster;
  for (const double part : {1.0, ratio}) {
    cluster.dimensions.push_back({.kind = Cluster::Kind::ring,
                                  .size = size,
                                  .link_bandwidth = BytesPerSecond(bandwidth * part),
                                  .links = 1,
                                  .latency = Seconds(0)});
  }
  return cluster;
}

TEST(Themis, GivesTheOrdersOfFigure7) {  // 4 chunks of 64 MB on 4 x 4, the second dimension with half the bandwidth
  const Cluster cluster = two_by_two(4, 48e9, 0.5);
  OperationTimes times(cluster);
  const ChunkedCollective c = allreduce(times, 4 * 64 * kMillionBytes, 4);
  const DimensionOrder first{0, 1}, second{1, 0};
  EXPECT_EQ(themis_orders(c), (std::vector<DimensionOrder>{first, second, first, first}));
}

TEST(Themis, TakesTheTimesOfFigure5) {
  // A chunk that starts on dimension 1 sends 48 MB there (1 unit of time) and 12 MB on dimension 2 (half a unit).
  const Cluster cluster = two_by_two(4, 48e9, 0.5);
  OperationTimes times(cluster);
  const ChunkedCollective c = allreduce(times, 4 * 64 * kMillionBytes, 4);
  const double unit = 1e9;  // ps
  const ChunkPlan baseline = plan_chunks(c, hierarchical_orders(c), SendFirst::arrived);
  EXPECT_NEAR(static_cast<double>(baseline.table.end.value()), 8 * unit, 10) << "dimension 1 never rests";
  const ChunkPlan plan = plan_chunks(c, themis_orders(c), SendFirst::smallest);
  EXPECT_LE(static_cast<double>(plan.table.end.value()), 7 * unit);
}

struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) { sum += value, ++count; }
  [[nodiscard]] double value() const { return sum / count; }
};

TEST(Schedulers, UseTheBandwidthOfTable2AsThePaperSaysAndBalancedMore) {
  Mean baseline, fifo, scf, ours, fifo_gain, scf_gain;
  double largest = 0;
  for (const Machine& machine : table_2()) {
    for (const std::int64_t megabytes : {100, 250, 500, 750, 1000}) {
      OperationTimes times(*as<Cluster>(machine));
      const ChunkedCollective c = allreduce(times, megabytes * kMillionBytes, 64);
      const ChunkPlan a = plan_chunks(c, hierarchical_orders(c), SendFirst::arrived);
      const ChunkPlan b = plan_chunks(c, themis_orders(c), SendFirst::arrived);
      const ChunkPlan d = plan_chunks(c, themis_orders(c), SendFirst::smallest);
      const ChunkPlan e = plan_balanced(c);
      baseline.add(utilization(c, a));
      fifo.add(utilization(c, b));
      scf.add(utilization(c, d));
      ours.add(utilization(c, e));
      fifo_gain.add(a.table.end / b.table.end);
      scf_gain.add(a.table.end / d.table.end);
      largest = std::max(largest, a.table.end / d.table.end);
      EXPECT_LE(utilization(c, e), 1.0);
      EXPECT_GE(utilization(c, e), 0.975) << machine.name << ", " << megabytes << " MB";
      EXPECT_LE(e.table.end, std::min(b.table.end, d.table.end)) << "Themis' own are among the candidates";
    }
  }
  EXPECT_NEAR(baseline.value(), 0.5631, 0.025);
  EXPECT_NEAR(fifo.value(), 0.8767, 0.04);
  EXPECT_NEAR(scf.value(), 0.9514, 0.03);
  EXPECT_GE(ours.value(), 0.985);
  EXPECT_NEAR(fifo_gain.value(), 1.58, 0.1);
  EXPECT_NEAR(scf_gain.value(), 1.72, 0.1);
  EXPECT_NEAR(largest, 2.70, 0.1);
  RecordProperty("balanced", std::to_string(ours.value()));
}

RC_GTEST_PROP(Schedulers, NeverBeatTheCutBoundAndBeginEveryOperationOnce, ()) {
  const Cluster cluster = any_reducing_cluster(5, 9);
  const std::int64_t words = *rc::gen::inRange<std::int64_t>(1000, 1'000'000);
  OperationTimes times(cluster);
  const ChunkedCollective c = allreduce(times, words, *rc::gen::inRange<std::int64_t>(1, 70));
  const Machine machine{.name = "any", .summary = "", .network = cluster};
  const auto bound = bound_cut({.machine = machine, .collective = Collective::allreduce, .count = words});
  RC_ASSERT(bound.has_value());
  const auto first = *rc::gen::element(SendFirst::arrived, SendFirst::smallest, SendFirst::feeding);
  const auto orders = *rc::gen::element(0, 1, 2);
  const ChunkPlan plan = plan_chunks(c,
                                     orders == 0   ? hierarchical_orders(c)
                                     : orders == 1 ? themis_orders(c)
                                                   : balanced_orders(c),
                                     first);
  RC_ASSERT(plan.table.end >= bound->cycles);
  const auto fused = std::count_if(plan.chunks.begin(), plan.chunks.end(), [&](const ChunkOrder& chunk) {
    return fuses_last(cluster, Collective::allreduce, chunk.order);
  });
  RC_ASSERT(plan.table.begins.size() == c.chunks.size() * 2 * cluster.dimensions.size() - at(fused));
  std::vector<std::int32_t> next(c.chunks.size(), 0);
  for (const Begin& begin : plan.table.begins) RC_ASSERT(begin.operation == next[at(begin.chunk)]++);
}

}  // namespace
}  // namespace muster
