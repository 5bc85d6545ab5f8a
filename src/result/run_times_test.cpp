#include "result/run_times.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

NodeTimes node(std::int64_t started, std::int64_t owed) {
  return {.owed = Ticks(owed), .finished = Ticks(owed + 5), .started = Ticks(started)};
}

TEST(RunTimes, CountFromTheFirstStartAndFromEachNodesOwn) {
  Result result;
  result.node_times = {{node(0, 100)}, {node(110, 200), node(150, 230), node(130, 260)}};
  const auto times = run_times(result, 1);
  ASSERT_TRUE(times);
  EXPECT_EQ(times->from_first_start.median, Ticks(120));
  EXPECT_EQ(times->from_first_start.most, Ticks(150));
  EXPECT_EQ(times->from_own_start.median, Ticks(90));
  EXPECT_EQ(times->from_own_start.most, Ticks(130));
}

TEST(RunTimes, LeaveOutNodesThatGetNoResult) {
  Result result;
  result.node_times = {{node(0, 100), node(20, 20), node(30, 30)}, {node(100, 100)}};
  const auto times = run_times(result, 0);
  ASSERT_TRUE(times);
  EXPECT_EQ(times->from_first_start.median, Ticks(100));
  EXPECT_FALSE(run_times(result, 1));
}

TEST(RunTimes, AreUnknownWhereNobodySaysWhenNodesBegin) {
  Result result;
  EXPECT_FALSE(run_times(result, 0));
  result.node_times = {{{.owed = Ticks(3), .finished = Ticks(4)}}};
  EXPECT_FALSE(run_times(result, 0));
}

}  // namespace
}  // namespace muster
