// Units at their limits, and columns of times that are far apart.
#include "base/time_unit.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(TimeUnit, IsMicrosecondsFromATenthUpToTenMilliseconds) {
  EXPECT_EQ(time_text(Seconds(1e-7)), "0.100 us");
  EXPECT_EQ(time_text(Seconds(1.433e-6)), "1.433 us");
  EXPECT_EQ(time_text(Seconds(9999.4e-6)), "9999.400 us");
}

TEST(TimeUnit, IsTheOneThatFitsShorterAndLongerTimes) {
  EXPECT_EQ(time_text(Seconds(27.06e-9)), "27.060 ns");
  EXPECT_EQ(time_text(Seconds(31e-12)), "0.031 ns");
  EXPECT_EQ(time_text(Seconds(0.01)), "10.000 ms");
  EXPECT_EQ(time_text(Seconds(9.5)), "9500.000 ms");
  EXPECT_EQ(time_text(Seconds(17.4)), "17.400 s");
  EXPECT_EQ(time_text(Seconds(0)), "0.000 us");
  EXPECT_EQ(time_text(Seconds(-0.02)), "-20.000 ms");
}

TEST(TimeUnit, DoesNotChangeByAnErrorOfRounding) {
  EXPECT_EQ(time_text(Seconds(0.01 - 1e-12)), "10.000 ms");
  EXPECT_EQ(time_text(Seconds(1e-7 - 1e-17)), "0.100 us");
}

TEST(TimeUnit, OfAColumnFitsTheLargestTime) {
  const TimeUnit unit = TimeUnit::of_column({Seconds(0.031), std::nullopt, Seconds(0.859), Seconds(0)});
  EXPECT_EQ(unit.name(), "ms");
  EXPECT_EQ(unit.text(Seconds(0.031)), "31.000");
  EXPECT_EQ(unit.text(std::nullopt), "-");
  EXPECT_EQ(TimeUnit::of_column({Seconds(5e-9), Seconds(48e-9)}).name(), "ns");
}

TEST(TimeUnit, OfAColumnKeepsThreeDigitsOfTheSmallestTime) {
  EXPECT_EQ(TimeUnit::of_column({Seconds(26e-6), Seconds(0.08)}).name(), "us");
  EXPECT_EQ(TimeUnit::of_column({Seconds(0.02), Seconds(17)}).name(), "ms");
  EXPECT_EQ(TimeUnit::of_column({Seconds(5e-9), Seconds(2)}).name(), "us");
}

TEST(TimeUnit, OfATableIsUsedInSentencesWhereTwoDigitsAreLeft) {
  const TimeUnit unit = TimeUnit::fitting(Seconds(2e-6));
  EXPECT_EQ(unit.sentence_text(Seconds(87e-9)), "0.087 us");
  EXPECT_EQ(unit.sentence_text(Seconds(0.02)), "20000.000 us");
  EXPECT_EQ(unit.sentence_text(Seconds(3.75e-9)), "3.750 ns");
}

TEST(TimeUnit, OfNothingIsMicroseconds) {
  EXPECT_EQ(TimeUnit::of_column({}).name(), "us");
  EXPECT_EQ(TimeUnit::fitting(std::nullopt).name(), "us");
}

}  // namespace
}  // namespace muster
