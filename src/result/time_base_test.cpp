#include "result/time_base.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(TimeBase, MicrosecondsOfPicosecondsKeepTheirDigits) {
  EXPECT_EQ(to_microseconds(Ticks(10'500'000), kPicoseconds), 10.5);
  EXPECT_EQ(to_microseconds(Ticks(7'300'001), kPicoseconds), 7.300001);
  EXPECT_EQ(to_microseconds(Ticks(850), {.ticks_per_second = 850e6, .is_clock = true}), 1);
}

TEST(TimeBase, NearestTicksUndoSeconds) {
  for (const std::int64_t ticks : {0, 1, 999, 1'000'003}) {
    EXPECT_EQ(nearest_ticks(to_seconds(Ticks(ticks), kPicoseconds), kPicoseconds), Ticks(ticks));
  }
}

}  // namespace
}  // namespace muster
