#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/error.h"

namespace muster {
namespace {

TEST(Random, GivesTheSameNumbersForTheSameSeed) {
  Random a(7);
  Random b(7);
  Random c(8);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t number = a.bits();
    EXPECT_EQ(number, b.bits());
    EXPECT_NE(number, c.bits());
  }
}

TEST(Random, IsSplitMix64) {
  // First outputs of the published generator from state 0.
  EXPECT_EQ(random_bits(0, 0), 0xE220A8397B1DCDAFU);
  EXPECT_EQ(random_bits(0, 1), 0x6E789E6AA1B965F4U);
}

TEST(Random, CanBeReadAtAnyIndex) {
  Random sequence(3);
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(sequence.bits(), random_bits(3, i));
}

TEST(Random, TellsTwoIndicesApart) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t rank = 0; rank < 50; ++rank) {
    for (std::uint64_t element = 0; element < 50; ++element) seen.insert(random_bits(1, rank, element));
  }
  EXPECT_EQ(seen.size(), 2500U);
}

TEST(Random, SpreadsEvenlyBelowALimit) {
  Random random(11);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts.at(random.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0U);
  EXPECT_LT(random.below(~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_THROW(random.below(0), InternalError);
}

TEST(Random, FillsTheUnitInterval) {
  Random random(5);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double number = random.unit();
    ASSERT_GE(number, 0.0);
    ASSERT_LT(number, 1.0);
    sum += number;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

}  // namespace
}  // namespace muster
