#include "backend/wafer/csl/number_sequence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster::wafer {
namespace {

using Numbers = std::vector<std::int32_t>;

TEST(NumberSequence, WritesAMultipleOfThePlaceAsOneCopyThatGrows) {
  const auto items = compress_numbers(Numbers{0, 4, 8, 12, 16}, 5, 5);
  EXPECT_EQ(items, (std::vector<NumberItem>{{.change = 0}, {.length = 4, .distance = 1, .change = 4}}));
}

TEST(NumberSequence, CopiesRowsOfAGrid) {
  const auto items = compress_numbers(Numbers{3, 1, 7, 20, 18, 24, 37, 35, 41}, 3, 9);
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items.back(), (NumberItem{.length = 6, .distance = 3, .change = 17}));
}

RC_GTEST_PROP(NumberSequence, ExpandsToWhatWasCompressed, (const Numbers& small)) {
  Numbers numbers;
  for (const std::int32_t n : small) numbers.push_back(n % 5);
  const auto width = *rc::gen::inRange<std::int32_t>(1, 6);
  const auto period = *rc::gen::inRange<std::int32_t>(1, 30);
  RC_ASSERT(expand_numbers(compress_numbers(numbers, width, period)) == numbers);
}

TEST(NumberSequence, FillsGapsByGoingOnAsBefore) {
  EXPECT_EQ(fill_gaps(std::vector<std::optional<std::int32_t>>{{}, {}, 6, 8, {}, {}, 5}, 100),
            (Numbers{2, 4, 6, 8, 10, 12, 5}));
  EXPECT_EQ(fill_gaps(std::vector<std::optional<std::int32_t>>{{}, 1, 4, {}, {}}, 8), (Numbers{0, 1, 4, 7, 8}));
  EXPECT_EQ(fill_gaps(std::vector<std::optional<std::int32_t>>{{}, {}}, 8), (Numbers{0, 0}));
}

}  // namespace
}  // namespace muster::wafer
