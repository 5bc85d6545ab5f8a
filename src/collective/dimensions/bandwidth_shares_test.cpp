#include "collective/dimensions/bandwidth_shares.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "collective/bounds/bound.h"
#include "machine/cluster.h"
#include "machine/routing.h"
#include "machine/test_clusters.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr double kNear = 1e-9;

/// The bytes of a set with bit d for dimension d when the dimensions are visited in `order`, as a share of all.
double share_in_order(const Cluster& cluster, const std::vector<std::size_t>& order, DimensionSet set) {
  double left = 1, own = 0;
  for (const std::size_t d : order) {
    const double after = left / cluster.dimensions[d].size;
    if ((set >> d & 1U) != 0) own += left - after;
    left = after;
  }
  return own / (1 - left);
}

/// The part of all bandwidth that a schedule at the cut bound uses.
double bound_utilization(const Cluster& cluster) {
  const Machine machine{.name = "", .summary = "", .network = cluster};
  const Request request{.machine = machine, .collective = Collective::allreduce, .count = 1'000'000'000};
  const double time = static_cast<double>(bound_cut(request)->cycles.value()) / kPicoseconds.ticks_per_second;
  const double bytes = 2 * 4e9 * (1 - 1.0 / rank_count(machine));
  return bytes / (bandwidth_of(cluster, all_dimensions(cluster)).value() * time);
}

Cluster with_bandwidths(Cluster cluster, const std::vector<double>& shares) {
  for (std::size_t d = 0; d < shares.size(); ++d) {
    cluster.dimensions[d].links = 1;
    cluster.dimensions[d].link_bandwidth = BytesPerSecond(1e12 * shares[d]);
  }
  return cluster;
}

std::vector<std::size_t> any_order(const Cluster& cluster) {
  std::vector<std::size_t> order(cluster.dimensions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  return order;
}

RC_GTEST_PROP(BandwidthShares, HoldWhatAnyOrderSendsAndAreReachedBySome, ()) {
  const Cluster cluster = any_cluster(5, 9);
  const auto set = *rc::gen::inRange<DimensionSet>(1, all_dimensions(cluster) + 1);
  const ShareRange range = share_range(cluster, set);
  std::vector<std::size_t> order(cluster.dimensions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double least = 2, most = 0;
  do {
    const double share = share_in_order(cluster, order, set);
    least = std::min(least, share);
    most = std::max(most, share);
  } while (std::next_permutation(order.begin(), order.end()));
  RC_ASSERT(std::abs(least - range.least) < kNear);
  RC_ASSERT(std::abs(most - range.most) < kNear);
}

RC_GTEST_PROP(BandwidthShares, OfAnyMixtureOfOrdersCanAllBeUsed, ()) {
  Cluster cluster = any_cluster(6, 9);
  std::vector<double> shares(cluster.dimensions.size());
  const int orders = *rc::gen::inRange(1, 5);
  for (int i = 0; i < orders; ++i) {
    const std::vector<std::size_t> order = any_order(cluster);
    for (std::size_t d = 0; d < shares.size(); ++d) {
      shares[d] += share_in_order(cluster, order, DimensionSet{1} << d) / orders;
    }
  }
  cluster = with_bandwidths(cluster, shares);
  RC_ASSERT(utilization_ceiling(cluster).utilization > 1 - kNear);
  RC_ASSERT(std::abs(bound_utilization(cluster) - 1) < 1e-6);
}

RC_GTEST_PROP(BandwidthShares, OutsideTheRangeOfASetCanNotAllBeUsed, ()) {
  Cluster cluster = any_cluster(5, 9);
  cluster.dimensions.push_back(any_cluster(2, 9).dimensions.front());  // of one dimension there is no outside
  const DimensionSet all = all_dimensions(cluster);
  const auto set = *rc::gen::inRange<DimensionSet>(1, all);
  const double wanted = share_range(cluster, set).least * *rc::gen::element(0.3, 0.9, 0.99);
  const double scale = wanted / (1 - wanted) * (bandwidth_of(cluster, all & ~set) / bandwidth_of(cluster, set));
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    if ((set >> d & 1U) != 0) cluster.dimensions[d].link_bandwidth = cluster.dimensions[d].link_bandwidth * scale;
  }
  const Ceiling ceiling = utilization_ceiling(cluster);
  RC_ASSERT(ceiling.utilization <= wanted / share_range(cluster, set).least + kNear);
  RC_ASSERT(ceiling.limiting != all);
}

RC_GTEST_PROP(BandwidthShares, CeilingIsWhatTheCutBoundProves, ()) {
  const Cluster cluster = any_cluster(6, 9);
  RC_ASSERT(std::abs(utilization_ceiling(cluster).utilization - bound_utilization(cluster)) < 1e-6);
}

TEST(BandwidthShares, OfTheBaselineFollowTheShrinkingChunk) {
  Cluster cluster;
  cluster.dimensions.resize(2);
  cluster.dimensions[0].size = 4;
  cluster.dimensions[1].size = 4;
  const std::vector<double> shares = baseline_shares(cluster);
  EXPECT_DOUBLE_EQ(shares[0], 0.8);  // 3/4 of 15/16
  EXPECT_DOUBLE_EQ(shares[1], 0.2);
  EXPECT_DOUBLE_EQ(share_range(cluster, 1).least, 0.2);
  EXPECT_DOUBLE_EQ(share_range(cluster, 1).most, 0.8);
}

TEST(BandwidthShares, CeilingNamesTheSmallestSetThatLimits) {
  Cluster cluster;
  for (const double bandwidth : {97.0, 1.0, 1.0, 1.0}) {
    cluster.dimensions.push_back({.size = 2, .link_bandwidth = BytesPerSecond(bandwidth), .links = 1});
  }
  const Ceiling ceiling = utilization_ceiling(cluster);  // the last three need 7/15 of all and have 3%
  EXPECT_EQ(ceiling.limiting, 0b1110U);
  EXPECT_NEAR(ceiling.utilization, 0.03 * 15 / 7, 1e-12);
}

}  // namespace
}  // namespace muster
