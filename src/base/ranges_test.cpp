#include "base/ranges.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace muster {
namespace {

using Numbers = std::vector<std::int64_t>;
using Grids = std::vector<std::pair<std::int64_t, std::int64_t>>;

const NumberRule kCounts{.flag = "--count", .least = 1, .most = 1'000'000'000'000, .example = "1:4096:x2"};
const NumberRule kShapes{.flag = "--grid", .least = 1, .most = INT32_MAX, .example = "16x1,64x1"};

std::string refusal(const std::string& text) {
  try {
    parse_numbers(text, kCounts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string grid_refusal(const std::string& text) {
  try {
    parse_grids(text, kShapes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Ranges, AreListsOfValuesAndRangesInTheirOrder) {
  EXPECT_EQ(parse_numbers("7", kCounts), Numbers({7}));
  EXPECT_EQ(parse_numbers("40,1,2", kCounts), Numbers({40, 1, 2}));
  EXPECT_EQ(parse_numbers("4:64:x2", kCounts), Numbers({4, 8, 16, 32, 64}));
  EXPECT_EQ(parse_numbers("16:64:+16", kCounts), Numbers({16, 32, 48, 64}));
  EXPECT_EQ(parse_numbers("3:6", kCounts), Numbers({3, 4, 5, 6}));
  EXPECT_EQ(parse_numbers("100,1:9:x3,5:7", kCounts), Numbers({100, 1, 3, 9, 5, 6, 7}));
}

TEST(Ranges, EndAtTheLastValueThatFits) {
  EXPECT_EQ(parse_numbers("1:1000:x10", kCounts), Numbers({1, 10, 100, 1000}));
  EXPECT_EQ(parse_numbers("1:999:x10", kCounts), Numbers({1, 10, 100}));
  EXPECT_EQ(parse_numbers("5:5:x2", kCounts), Numbers({5}));
  EXPECT_EQ(parse_numbers("5:9:+5", kCounts), Numbers({5}));
}

TEST(Ranges, HaveEveryValueOnce) {
  EXPECT_EQ(parse_numbers("1:8:x2,4,8,16", kCounts), Numbers({1, 2, 4, 8, 16}));
  EXPECT_EQ(parse_grids("4x1,4x1", kShapes), Grids({{4, 1}}));
}

TEST(Ranges, DoNotOverflow) {
  EXPECT_EQ(parse_numbers("999999999999:1000000000000:x2147483647", kCounts), Numbers({999999999999}));
}

TEST(Ranges, OfGridsGrowWhereTheEndsDiffer) {
  EXPECT_EQ(parse_grids("16x1,512x2", kShapes), Grids({{16, 1}, {512, 2}}));
  EXPECT_EQ(parse_grids("4x1:16x1:x2", kShapes), Grids({{4, 1}, {8, 1}, {16, 1}}));
  EXPECT_EQ(parse_grids("1x4:1x6", kShapes), Grids({{1, 4}, {1, 5}, {1, 6}}));
  EXPECT_EQ(parse_grids("4x4:16x16:x2", kShapes), Grids({{4, 4}, {8, 8}, {16, 16}}));
  EXPECT_EQ(parse_grids("4x2:16x8:x2", kShapes), Grids({{4, 2}, {8, 4}, {16, 8}}));
}

TEST(Ranges, OfSizesHaveStepsThatAreSizes) {
  const NumberRule rule{.flag = "--bytes", .least = 1, .most = 1'000'000'000'000, .example = "100MB,1GB"};
  EXPECT_EQ(parse_sizes("1 KiB,2kB,64", rule), Numbers({1024, 2000, 64}));
  EXPECT_EQ(parse_sizes("1MB:2MB:+500kB", rule), Numbers({1'000'000, 1'500'000, 2'000'000}));
  EXPECT_EQ(parse_sizes("1KiB:5KiB:x2", rule), Numbers({1024, 2048, 4096}));
  EXPECT_THROW(parse_sizes("1MB:2MB", rule), InputError);  // a million values
  EXPECT_THROW(parse_sizes("1MB:2MB:+0", rule), InputError);
  EXPECT_THROW(parse_sizes("1 s", rule), InputError);
  EXPECT_THROW(parse_sizes("1000 TB", rule), InputError);
}

TEST(Ranges, AreRefusedInOneLine) {
  EXPECT_EQ(refusal(""), "--count: '' is not a whole number; use e.g. --count 1:4096:x2");
  EXPECT_EQ(refusal("1,,2"), "--count: '' is not a whole number; use e.g. --count 1:4096:x2");
  EXPECT_EQ(refusal("8:4:x2"), "--count: '8:4:x2' goes down; write the smaller end first");
  EXPECT_EQ(refusal("1:8:2"),
            "--count: '1:8:2' is not a range; use a list of N, FIRST:LAST:xFACTOR or FIRST:LAST:+STEP, e.g. --count "
            "1:4096:x2");
  EXPECT_EQ(refusal("1:8:x1"), "--count: the factor of '1:8:x1' is '1'; use a whole number from 2 to 2,147,483,647");
  EXPECT_EQ(refusal("1:8:x").substr(0, 31), "--count: '1:8:x' is not a range");
  EXPECT_EQ(refusal("1:8:+0"), "--count: the step of '1:8:+0' is '0'; use a whole number from 1 to 2,147,483,647");
  EXPECT_EQ(refusal("0:8:x2"), "--count: 0 is too small; use at least 1");
  EXPECT_EQ(refusal("1:100000"), "--count: '1:100000' has more than 10000 values; use a larger step or a factor");
  EXPECT_EQ(grid_refusal("4x4:16x32:x2"),
            "--grid: '4x4:16x32:x2' has 3 column values and 4 row values; both must have the same number, or one of "
            "them a single value");
  EXPECT_EQ(grid_refusal("16"), "--grid: '16' is not a pair; use e.g. --grid 16x1,64x1");
}

TEST(Ranges, WordsAreNamesBetweenCommas) {
  EXPECT_EQ(parse_words("star,chain", "--algorithm"), (std::vector<std::string>{"star", "chain"}));
  EXPECT_THROW(parse_words("star,", "--algorithm"), InputError);
  EXPECT_THROW(parse_words("star,star", "--algorithm"), InputError);
}

}  // namespace
}  // namespace muster
