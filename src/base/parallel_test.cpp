#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace muster {
namespace {

TEST(Parallel, CallsEveryIndexOnceOnAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> calls(count);
      for_each_index(count, [&](std::size_t i) { ++calls[i]; }, {.threads = threads});
      for (const auto& call_count : calls) EXPECT_EQ(call_count, 1);
    }
  }
}

TEST(Parallel, BeginsWithTheLastIndex) {
  std::vector<std::size_t> order;
  for_each_index(4, [&](std::size_t i) { order.push_back(i); }, {.threads = 1});
  EXPECT_EQ(order, (std::vector<std::size_t>{3, 2, 1, 0}));
}

TEST(Parallel, UsesSeveralThreadsAtOnce) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> here{0};
  const auto meet = [&](std::size_t) {
    ++here;
    while (here < 2) std::this_thread::yield();  // neither returns before the other has come
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  };
  for_each_index(2, meet, {.threads = 2});
  EXPECT_EQ(seen.size(), 2U);
}

TEST(Parallel, ThrowsTheExceptionOfTheSmallestIndexAfterAllHaveEnded) {
  std::atomic<int> ended{0};
  const auto work = [&](std::size_t i) {
    ++ended;
    if (i % 3 == 2) throw std::runtime_error("at " + std::to_string(i));
  };
  try {
    for_each_index(20, work, {.threads = 3});
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "at 2");
  }
  EXPECT_EQ(ended, 20);
}

TEST(Parallel, TellsItsProgressToTheCallingThread) {
  std::vector<double> told;
  const auto caller = std::this_thread::get_id();
  const auto progress = [&](double fraction) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    told.push_back(fraction);
  };
  for_each_index(10, [](std::size_t) {}, {.threads = 2, .progress = progress});
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 1.0);
}

}  // namespace
}  // namespace muster
