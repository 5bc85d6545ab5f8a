#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/wafer/csl/copies.h"

namespace muster::wafer {
namespace {

using Numbers = std::vector<std::int32_t>;

TEST(CopiesOfNumbers, WritesAMultipleOfTheIndexAsOneCopyThatGrows) {
  const auto items = compress_numbers(OpenNumbers{0, 4, 8, 12, 16}, {});
  EXPECT_EQ(items, (std::vector<CopyItem>{{.change = 0}, {.length = 4, .distance = 1, .change = 4}}));
}

TEST(CopiesOfNumbers, CopiesRowsOfAGrid) {
  const auto items = compress_numbers(OpenNumbers{3, 1, 7, 20, 18, 24, 37, 35, 41}, {.width = 3});
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items.back(), (CopyItem{.length = 6, .distance = 3, .change = 17}));
}

TEST(CopiesOfNumbers, ChoosesOpenNumbersSoThatACopyGoesOn) {
  const auto items = compress_numbers(OpenNumbers{6, 8, {}, {}, 14, 16}, {});
  EXPECT_EQ(expand(items), (Numbers{6, 8, 10, 12, 14, 16}));
  EXPECT_EQ(items.size(), 2U);
}

TEST(CopiesOfNumbers, KeepsOpenNumbersBetweenItsBounds) {
  const auto numbers = expand(compress_numbers(OpenNumbers{4, 6, {}, {}, 2, 1, {}, {}}, {.most = 7}));
  for (const std::int32_t number : numbers) EXPECT_TRUE(number >= 0 && number <= 7) << number;
}

RC_GTEST_PROP(CopiesOfNumbers, ExpandsToWhatWasCompressed, (const Numbers& small)) {
  OpenNumbers numbers;
  for (const std::int32_t n : small) {
    numbers.push_back(n % 7 == 0 ? std::nullopt : std::optional<std::int32_t>((n % 5 + 5) % 5));
  }
  const auto width = *rc::gen::inRange<std::int32_t>(1, 6);
  const auto period = *rc::gen::inRange<std::int32_t>(1, 30);
  const Numbers read = expand(compress_numbers(numbers, {.width = width, .period = period, .most = 9}));
  RC_ASSERT(read.size() == numbers.size());
  for (std::size_t i = 0; i < read.size(); ++i) RC_ASSERT(numbers[i].value_or(read[i]) == read[i]);
}

}  // namespace
}  // namespace muster::wafer
