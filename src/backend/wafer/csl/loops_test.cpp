#include "backend/wafer/csl/loops.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster::wafer {
namespace {

CslOperation send(std::int64_t first, std::int64_t length = 4) {
  return {.action = CslAction::send, .own = Buffer::input, .own_first = first, .length = length};
}

CslOperation receive(std::int64_t first) {
  return {.action = CslAction::receive, .take = 1, .store = Buffer::output, .store_first = first, .length = 4};
}

CslOperations once_each(const std::vector<CslOperation>& list) {
  return {.list = list, .times = std::vector<std::int32_t>(list.size(), 1)};
}

TEST(Loops, HoldWhatMovesEvenly) {
  const auto rolled = with_loops(once_each({send(12), send(8), send(4), send(0)}));
  ASSERT_EQ(rolled.list.size(), 1U);
  EXPECT_EQ(rolled.list[0].own_first, 12);
  EXPECT_EQ(rolled.list[0].own_step, -4);
  EXPECT_EQ(rolled.times, std::vector<std::int32_t>{4});
}

TEST(Loops, HoldSeveralOperations) {
  const auto rolled =
      with_loops(once_each({receive(0), send(0), receive(4), send(4), receive(8), send(8), send(8, 3)}));
  ASSERT_EQ(rolled.list.size(), 3U);
  EXPECT_EQ(rolled.times, (std::vector<std::int32_t>{0, 3, 1}));
  EXPECT_EQ(rolled.list[0].store_step, 4);
  EXPECT_EQ(rolled.list[1].back, 1);
  EXPECT_EQ(rolled.list[2].back, 0);
}

TEST(Loops, LeaveRepeatedOperationsAsTheyAre) {
  CslOperations operations = once_each({receive(0), receive(4), receive(8)});
  operations.times[1] = 5;
  EXPECT_EQ(with_loops(operations).times, operations.times);
}

RC_GTEST_PROP(Loops, StandForTheSameOperationsInTheSameOrder, ()) {
  std::vector<CslOperation> list;
  const auto elements = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6));
  for (const int element : elements) list.push_back(element % 2 == 0 ? send(element) : receive(element));
  RC_ASSERT(without_loops(with_loops(once_each(list))) == list);
}

}  // namespace
}  // namespace muster::wafer
