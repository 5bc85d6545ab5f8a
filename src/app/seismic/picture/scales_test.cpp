// Colours, ticks and ranges.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/seismic/picture/colours.h"
#include "app/seismic/picture/ticks.h"
#include "app/seismic/picture/value_range.h"

namespace muster::seismic {
namespace {

TEST(Colours, GetLighterEvenly) {
  for (int i = 0; i < 100; ++i) {
    const double step = lightness_of(colour_at(ColourScale::sequential, (i + 1) / 100.0)) -
                        lightness_of(colour_at(ColourScale::sequential, i / 100.0));
    EXPECT_NEAR(step, 0.0065, 1e-5) << i;
  }
}

TEST(Colours, DivergeFromWhiteAlike) {
  EXPECT_NEAR(lightness_of(colour_at(ColourScale::diverging, 0.5)), 1, 1e-6);
  for (const double away : {0.1, 0.25, 0.5}) {
    const Colour blue = colour_at(ColourScale::diverging, 0.5 - away);
    const Colour red = colour_at(ColourScale::diverging, 0.5 + away);
    EXPECT_NEAR(lightness_of(blue), lightness_of(red), 1e-3);
    EXPECT_GT(blue.blue, blue.red);
    EXPECT_GT(red.red, red.blue);
  }
}

TEST(Ticks, AreRound) {
  const Ticks ticks = round_ticks(-10, 4790, 5);
  EXPECT_EQ(ticks.values, (std::vector<double>{0, 1000, 2000, 3000, 4000}));
  EXPECT_EQ(ticks.text(2000), "2000");
  const Ticks fine = round_ticks(0.31, 0.3, 6);
  EXPECT_EQ(fine.step, 0.002);
  EXPECT_EQ(fine.text(fine.values.front()), "0.300");
  EXPECT_EQ(round_ticks(-0.4, 0.4, 3).text(-0.0), "0.0");
}

TEST(Ticks, AreNeverMoreThanFit) {
  for (const double high : {1e-30, 0.7, 1.0, 9.99, 12345.0, 1e30}) {
    for (int most = 2; most < 13; ++most) {
      const std::size_t count = round_ticks(0, high, most).values.size();
      EXPECT_LE(count, static_cast<std::size_t>(most)) << high;
      EXPECT_GE(count, 1U) << high;
    }
  }
}

TEST(Ticks, EndWhereverTheAxisIs) {
  EXPECT_LE(round_ticks(1e18, 1e18 + 1024, 6).values.size(), 6U);
  EXPECT_LE(round_ticks(0, 5e-324, 6).values.size(), 6U);
  EXPECT_LE(round_ticks(-1.7e308, 1.7e308, 6).values.size(), 6U);
}

TEST(Ticks, LeaveOutPowersOfTen) {
  EXPECT_EQ(common_exponent(4500), 0);
  EXPECT_EQ(common_exponent(3e-13), -13);
  EXPECT_EQ(common_exponent(2.5e9), 9);
}

TEST(ValueRanges, AreSymmetricForBothSigns) {
  const std::vector<double> values{-1, 0, 0, 4};
  const ValueRange range = range_of(values, 100);
  EXPECT_EQ(range.low, -4);
  EXPECT_EQ(range.high, 4);
  EXPECT_EQ(range.scale, ColourScale::diverging);
}

TEST(ValueRanges, LeaveOutlyersToTheLastColour) {
  std::vector<float> values;
  for (int i = 1; i <= 101; ++i) values.push_back(static_cast<float>(i));
  values.back() = 1e9F;
  const ValueRange range = range_of(values, 99);
  EXPECT_EQ(range.low, 2);
  EXPECT_EQ(range.high, 100);
  EXPECT_EQ(range.scale, ColourScale::sequential);
}

TEST(ValueRanges, AreThoseOfTheWaveAndNotOfTheQuiet) {
  std::vector<double> values(10'000, 1e-9);  // numbers of rounding, all around
  for (int i = 0; i < 40; ++i) values[static_cast<std::size_t>(i)] = i % 2 == 0 ? 2 : -1;
  EXPECT_EQ(range_of(values, 99).high, 2);
  EXPECT_EQ(range_of(values, 51).low, -2);
}

TEST(ValueRanges, AreNeverEmpty) {
  for (const double value : {0.0, 1500.0, -2.0}) {
    const ValueRange range = range_of(std::vector<double>(5, value), 99);
    EXPECT_LT(range.low, range.high);
  }
  std::vector<double> spike(1000, 0);
  spike[3] = 1;
  EXPECT_LT(range_of(spike, 99).low, range_of(spike, 99).high);
  spike[4] = -2;
  EXPECT_EQ(range_of(spike, 99).high, 2);
}

}  // namespace
}  // namespace muster::seismic
