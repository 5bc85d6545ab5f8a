#include "app/seismic/shots_in_flight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"

namespace muster::seismic {
namespace {

TEST(ShotsInFlight, HandOutEachShotOnce) {
  ShotsInFlight shots(3, 100);
  std::mutex mutex;
  std::vector<std::int64_t> made;
  const auto work = [&] {
    while (const std::optional<std::int64_t> number = shots.take()) {
      {
        const std::scoped_lock lock(mutex);
        made.push_back(*number);
      }
      shots.finish(*number);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  std::ranges::sort(made);
  ASSERT_EQ(made.size(), 98U);
  for (std::size_t i = 0; i < made.size(); ++i) EXPECT_EQ(made[i], static_cast<std::int64_t>(i) + 3);
}

TEST(ShotsInFlight, TheFirstIsTheOneBeforeWhichAllAreComplete) {
  ShotsInFlight shots(1, 3);
  EXPECT_FALSE(shots.is_first(1));
  for (int i = 0; i < 3; ++i) shots.take();
  EXPECT_TRUE(shots.is_first(1));
  EXPECT_FALSE(shots.is_first(2));
  shots.finish(2);
  EXPECT_FALSE(shots.is_first(3));
  shots.finish(1);
  EXPECT_TRUE(shots.is_first(3));
  EXPECT_EQ(shots.take(), std::nullopt);
}

TEST(ShotsInFlight, EndWithTheErrorOfTheEarliestShot) {
  ShotsInFlight shots(1, 9);
  EXPECT_NO_THROW(shots.rethrow());
  shots.take();
  shots.fail(5, std::make_exception_ptr(InputError("of the fifth")));
  EXPECT_TRUE(shots.has_failed());
  EXPECT_EQ(shots.take(), std::nullopt);
  shots.fail(2, std::make_exception_ptr(InputError("of the second")));
  shots.fail(7, std::make_exception_ptr(InputError("of the seventh")));
  try {
    shots.rethrow();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "of the second");
  }
}

}  // namespace
}  // namespace muster::seismic
