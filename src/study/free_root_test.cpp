#include "study/free_root.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "plan/plan_test_support.h"

namespace muster {
namespace {

bool was_tried(const std::vector<RootAnswer>& tried, NodeId root) {
  return std::any_of(tried.begin(), tried.end(),
                     [&](const RootAnswer& root_answer) { return root_answer.root == root; });
}

TEST(FreeRoot, TriesTheFirstRankAndTheMiddle) {
  const auto tried = try_roots({.job = wafer_job(Collective::reduce, 33, 1, 8)});
  EXPECT_TRUE(was_tried(tried, 0));
  EXPECT_TRUE(was_tried(tried, 16));
  const auto grid = try_roots({.job = wafer_job(Collective::broadcast, 7, 5, 8)});
  EXPECT_TRUE(was_tried(grid, 0));
  EXPECT_TRUE(was_tried(grid, 2 * 7 + 3));
}

TEST(FreeRoot, BestComesFirstAndTakesTheTimeThatASimulationSays) {
  for (const std::int64_t count : {1, 16, 300}) {
    Job job = wafer_job(Collective::reduce, 40, 1, count);
    const auto tried = try_roots({.job = job});
    ASSERT_FALSE(tried.empty());
    for (const RootAnswer& root_answer : tried) {
      EXPECT_TRUE(root_answer.simulated);
      EXPECT_LE(tried.front().cycles, root_answer.cycles);
      job.root = static_cast<NodeId>(root_answer.root);
      EXPECT_EQ(simulate(job, choose(job, root_answer.algorithm, {})).result.cycles, root_answer.cycles);
    }
  }
}

TEST(FreeRoot, ShortBroadcastStartsInTheMiddleAndALongReduceEndsAtAnEnd) {
  const auto broadcast = try_roots({.job = wafer_job(Collective::broadcast, 64, 1, 1)});
  EXPECT_EQ(broadcast.front().root, 31);  // 32 hops instead of 63
  const auto reduce = try_roots({.job = wafer_job(Collective::reduce, 8, 1, 4096)});
  EXPECT_EQ(reduce.front().root, 0);  // inside, both sides' vectors would pass the root's one port
}

TEST(FreeRoot, FindsTheBestOfAllRootsOfARow) {
  for (const auto& [length, count] : {std::pair{40, 9}, {61, 30}, {30, 2}}) {
    Job job = wafer_job(Collective::reduce, length, 1, count);
    const RootAnswer best = try_roots({.job = job}).front();
    for (job.root = 0; job.root < length; ++job.root) {
      const SimulationAnswer other = simulate(job, choose(job, "best-tree", {}));
      EXPECT_LE(best.cycles, other.result.cycles.value() + Ticks(4)) << length << " PEs, root " << job.root;
    }
  }
}

/// Where predictions of a root inside are a cycle or two off, the best root is next to the one with the best prediction.
TEST(FreeRoot, FindsTheBestRootAmongThoseWithNearlyTheBestPrediction) {
  for (const auto& [length, count, cycles] : {std::tuple{25, 81, 185}, {25, 16, 65}, {34, 4, 40}, {19, 67, 151}}) {
    Job job = wafer_job(Collective::reduce, length, 1, count);
    const RootAnswer best = try_roots({.job = job}).front();
    EXPECT_EQ(best.cycles, Ticks(cycles)) << length << " PEs, " << count << " words";
    for (job.root = 0; job.root < length; ++job.root) {
      EXPECT_LE(best.cycles, simulate(job, choose(job, "best-tree", {})).result.cycles.value())
          << length << " PEs, " << count << " words, root " << job.root;
    }
  }
}

TEST(FreeRoot, FindsTheBestRootOfAGridByRowsAndColumns) {
  const Job job = wafer_job(Collective::reduce, 23, 14, 3);
  const Algorithm& xy = find_algorithm(Collective::reduce, "mesh", "xy-best-tree");
  const std::vector<Ticks> all = xy.cost_by_root(request_of(job));
  ASSERT_EQ(all.size(), 23U * 14U);
  for (const NodeId root : {0, 5, 23 * 7 + 11, 23 * 13 + 22}) {
    Job rooted = job;
    rooted.root = root;
    EXPECT_EQ(all[static_cast<std::size_t>(root)], xy.cost(request_of(rooted), {}));
  }
  const auto best = static_cast<NodeId>(std::min_element(all.begin(), all.end()) - all.begin());
  EXPECT_TRUE(was_tried(try_roots({.job = job}), best));
}

TEST(FreeRoot, TriesTheBestPredictionsOfAllRanksOfASmallGrid) {
  Job job = wafer_job(Collective::reduce, 6, 3, 64);
  const RootAnswer best = try_roots({.job = job}).front();
  for (job.root = 0; job.root < 18; ++job.root) {
    EXPECT_LE(best.cycles, plan(job).candidates.at(0).simulated_cycles) << "root " << job.root;
  }
}

TEST(FreeRoot, NamedAlgorithmDecides) {
  const auto tried =
      try_roots({.job = wafer_job(Collective::reduce, 16, 1, 4), .algorithm = "two-phase", .given = {{"group", 2}}});
  ASSERT_FALSE(tried.empty());
  for (const RootAnswer& root_answer : tried) EXPECT_EQ(root_answer.algorithm, "two-phase");
  EXPECT_TRUE(try_roots({.job = wafer_job(Collective::reduce, 16, 1, 4), .algorithm = "snake"}).empty());
}

TEST(FreeRoot, IsPredictedWhereTheBudgetEnds) {
  Job job = wafer_job(Collective::reduce, 64, 1, 64);
  job.hop_budget = job.transit_budget = 1;
  const auto tried = try_roots({.job = job});
  ASSERT_FALSE(tried.empty());
  EXPECT_FALSE(tried.front().simulated);
}

TEST(FreeRoot, OnePeIsItsOwnRoot) {
  const auto tried = try_roots({.job = wafer_job(Collective::reduce, 1, 1, 4)});
  ASSERT_EQ(tried.size(), 1U);
  EXPECT_EQ(tried.front().root, 0);
}

}  // namespace
}  // namespace muster
