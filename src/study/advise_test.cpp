#include "study/advise.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "collective/algorithm.h"
#include "machine/cluster.h"
#include "machine/mesh.h"
#include "machine/routing.h"
#include "machine/test_clusters.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr double kGigabits = 1e9 / 8;

Machine machine_of(Cluster cluster) { return {.name = "any", .summary = "", .network = std::move(cluster)}; }

/// 4 dimensions at most, of 2, 4 or 8 NPUs, without latency.
Cluster smooth_cluster() {
  Cluster cluster = any_cluster(5, 9);
  for (Cluster::Dimension& d : cluster.dimensions) {
    d.size = *rc::gen::element(2, 4, 8);
    d.latency = Seconds(0);
  }
  return cluster;
}

void set_bandwidth(Cluster::Dimension& dimension, double bytes_per_second) {
  dimension.links = 1;
  dimension.link_bandwidth = BytesPerSecond(bytes_per_second);
}

/// By the algorithm's prediction, which the simulator meets to the picosecond (cluster_test.cpp).
double utilization(const Cluster& cluster, const std::string& algorithm) {
  const Request request{
      .machine = machine_of(cluster), .collective = Collective::allreduce, .count = std::int64_t{1} << 26};
  const Ticks time =
      find_algorithm(Collective::allreduce, "cluster", algorithm).cost(request, {{"chunks", 256}, {"order", 1}});
  const double bytes = 2 * 4.0 * static_cast<double>(request.count) * (1 - 1.0 / rank_count(request.machine));
  return bytes / (advise(request.machine).bandwidth.value() * static_cast<double>(time.value()) /
                  kPicoseconds.ticks_per_second);
}

Machine two_by_two(double first, double second) {
  Cluster cluster;
  for (const double gigabits : {first, second}) {
    cluster.dimensions.push_back(
        {.kind = Cluster::Kind::ring, .size = 4, .link_bandwidth = BytesPerSecond(gigabits * kGigabits), .links = 1});
  }
  return machine_of(cluster);
}

TEST(Advise, ComparesTheBandwidthsOfTwoDimensionsAsThePaperDoes) {
  EXPECT_EQ(advise(two_by_two(400, 100)).pairs.front().provision, Provision::just_enough);
  EXPECT_EQ(advise(two_by_two(200, 100)).pairs.front().provision, Provision::over);
  EXPECT_EQ(advise(two_by_two(500, 100)).pairs.front().provision, Provision::under);
  EXPECT_DOUBLE_EQ(advise(two_by_two(200, 100)).pairs.front().ratio, 2);
}

TEST(Advise, SaysWhatTheBaselineWastesInThePapersExample) {
  const AdviceAnswer answer = advise(two_by_two(200, 100));  // Figure 5: stages of dimension 2 take half as long
  EXPECT_DOUBLE_EQ(answer.dimensions[0].baseline_busy, 1);
  EXPECT_DOUBLE_EQ(answer.dimensions[1].baseline_busy, 0.5);
  EXPECT_NEAR(answer.dimensions[1].baseline_wasted.value(), 50 * kGigabits, 1);
  EXPECT_NEAR(answer.baseline_utilization, 250.0 / 300, 1e-12);
  EXPECT_EQ(answer.baseline_limiting, std::vector<int>{1});
  EXPECT_DOUBLE_EQ(answer.ceiling, 1);
  EXPECT_TRUE(answer.limiting.empty());
  EXPECT_NEAR(answer.dimensions[0].baseline_best.value(), 240 * kGigabits, 1);
  EXPECT_NEAR(answer.dimensions[0].least_share, 0.2, 1e-12);
  EXPECT_NEAR(answer.dimensions[0].most_share, 0.8, 1e-12);
}

TEST(Advise, NamesTheDimensionThatLimitsEverySchedule) {
  const AdviceAnswer answer = advise(two_by_two(900, 100));
  EXPECT_NEAR(answer.ceiling, 0.5, 1e-12);
  EXPECT_EQ(answer.limiting, std::vector<int>{2});
  EXPECT_NEAR(answer.limiting_share, 0.1, 1e-12);
  EXPECT_NEAR(answer.limiting_least, 0.2, 1e-12);
  EXPECT_FALSE(answer.dimensions[0].in_range());
  EXPECT_FALSE(answer.dimensions[1].in_range());
}

TEST(Advise, RemarksOnSwitchesWhoseSizeIsNoPowerOfTwo) {
  Machine machine = two_by_two(1, 1);
  auto& dimension = as<Cluster>(machine)->dimensions[1];
  dimension.kind = Cluster::Kind::switched;
  EXPECT_TRUE(advise(machine).notes.empty());
  dimension.size = 6;
  EXPECT_EQ(advise(machine).notes.size(), 1U);
}

RC_GTEST_PROP(Advise, BestSpreadForTheBaselineIsJustEnoughForEveryPairAndUsesAll, ()) {
  Cluster cluster = any_cluster(6, 9);
  const AdviceAnswer before = advise(machine_of(cluster));
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    set_bandwidth(cluster.dimensions[d], before.dimensions[d].baseline_best.value());
  }
  const AdviceAnswer after = advise(machine_of(cluster));
  RC_ASSERT(std::abs(after.bandwidth / before.bandwidth - 1) < 1e-9);
  RC_ASSERT(after.baseline_utilization > 1 - 1e-9);
  RC_ASSERT(after.limiting.empty());
  RC_ASSERT(after.baseline_limiting.size() == cluster.dimensions.size());
  for (const auto& pair : after.pairs) RC_ASSERT(pair.provision == Provision::just_enough);
  for (const auto& dimension : after.dimensions) RC_ASSERT(dimension.in_range());
}

RC_GTEST_PROP(Advise, BaselineNeverUsesMoreThanTheBest, ()) {
  const AdviceAnswer answer = advise(machine_of(any_cluster(6, 9)));
  RC_ASSERT(answer.baseline_utilization <= answer.ceiling + 1e-9);
  double wasted = 0;
  for (const auto& dimension : answer.dimensions) wasted += dimension.baseline_wasted.value();
  RC_ASSERT(std::abs(1 - wasted / answer.bandwidth.value() - answer.baseline_utilization) < 1e-9);
}

/// What the simulator says to it: chunks enter and leave dimensions one by one, so a little is lost at both ends.
RC_GTEST_PROP(Advise, SimulatedBaselineUsesWhatIsSaid, ()) {
  const Cluster cluster = smooth_cluster();
  const AdviceAnswer answer = advise(machine_of(cluster));
  const double simulated = utilization(cluster, "hierarchical");
  RC_ASSERT(simulated <= answer.baseline_utilization + 1e-3);
  RC_ASSERT(simulated >= 0.9 * answer.baseline_utilization);
}

RC_GTEST_PROP(Advise, SimulatedBestComesCloseToTheCeilingAndNotAbove, ()) {
  const Cluster cluster = smooth_cluster();
  const AdviceAnswer answer = advise(machine_of(cluster));
  const double simulated = utilization(cluster, "balanced");
  RC_ASSERT(simulated <= answer.ceiling + 1e-3);
  RC_ASSERT(simulated >= 0.9 * answer.ceiling);
}

TEST(Advise, IsForClusters) {
  Machine mesh{.name = "wafer", .summary = "", .network = Mesh{}};
  EXPECT_THROW((void)advise(mesh), InputError);
}

TEST(Advise, LeavesAllreduceOutWhereSwitchesReduce) {
  Machine machine = two_by_two(400, 100);
  Cluster::Dimension& second = as<Cluster>(machine)->dimensions[1];
  second.kind = Cluster::Kind::switched;
  second.size = 5;
  second.reduces = true;
  const AdviceAnswer answer = advise(machine);
  EXPECT_EQ(answer.collectives, (std::vector<std::string>{"reduce-scatter", "allgather"}));
  ASSERT_EQ(answer.notes.size(), 1U) << "nobody is folded into others at a switch that reduces";
  EXPECT_TRUE(answer.notes[0].starts_with("switches reduce"));
}

}  // namespace
}  // namespace muster
