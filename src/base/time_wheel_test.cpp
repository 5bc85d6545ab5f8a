#include "base/time_wheel.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <queue>

#include "base/random.h"

namespace muster {
namespace {

TEST(TimeWheel, IsEmptyAtFirst) {
  const TimeWheel<int> wheel;
  EXPECT_TRUE(wheel.empty());
  EXPECT_EQ(wheel.next(), TimeWheel<int>::kNever);
}

TEST(TimeWheel, GivesEventsOfTheSameTimeInTheOrderInWhichTheyCame) {
  TimeWheel<int> wheel;
  wheel.add(1'000'000, 1);  // far away at first, and then near
  wheel.add(999'990, 0);
  EXPECT_EQ(wheel.take(), 0);
  wheel.add(1'000'000, 2);
  EXPECT_EQ(wheel.next(), 1'000'000);
  EXPECT_EQ(wheel.take(), 1);
  wheel.add(1'000'000, 3);
  EXPECT_EQ(wheel.take(), 2);
  EXPECT_EQ(wheel.take(), 3);
  EXPECT_TRUE(wheel.empty());
}

RC_GTEST_PROP(TimeWheel, GivesEventsInTheOrderOfASortedQueue, (std::uint64_t seed)) {
  using Expected = std::pair<std::int64_t, int>;  // due, and the order in which they came
  std::priority_queue<Expected, std::vector<Expected>, std::greater<>> expected;
  TimeWheel<int> wheel;
  std::int64_t now = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i));
    if (bits % 5 < 3 || expected.empty()) {
      const std::uint64_t ranges[] = {3, 100, 4095, 4096, 20'000, 1'000'000};
      const auto due = now + static_cast<std::int64_t>((bits >> 16) % ranges[(bits >> 8) % 6]);
      wheel.add(due, i);
      expected.emplace(due, i);
    } else {
      RC_ASSERT(wheel.next() == expected.top().first);
      now = wheel.next();
      RC_ASSERT(wheel.take() == expected.top().second);
      expected.pop();
    }
    RC_ASSERT(wheel.empty() == expected.empty());
  }
}

}  // namespace
}  // namespace muster
