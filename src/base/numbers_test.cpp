#include "base/numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace muster {
namespace {

const NumberRule kRule{.flag = "--count", .least = 1, .most = 100, .example = "7"};

std::string refusal(const std::string& text) {
  try {
    parse_number(text, kRule);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Numbers, AreTakenWholeOrRefused) {
  EXPECT_EQ(parse_number("42", kRule), 42);
  EXPECT_EQ(refusal("4x"), "--count: '4x' is not a whole number; use e.g. --count 7");
  EXPECT_EQ(refusal(""), "--count: '' is not a whole number; use e.g. --count 7");
  EXPECT_EQ(refusal("+4"), "--count: '+4' is not a whole number; use e.g. --count 7");
  EXPECT_EQ(refusal("1e3"), "--count: '1e3' is not a whole number; use e.g. --count 7");
}

TEST(Numbers, BeyondTheLimitsNameTheLimit) {
  EXPECT_EQ(refusal("101"), "--count: 101 is too large; use at most 100");
  EXPECT_EQ(refusal("0"), "--count: 0 is too small; use at least 1");
  EXPECT_EQ(refusal("99999999999999999999999"), "--count: 99999999999999999999999 is too large; use at most 100");
  EXPECT_EQ(refusal("-99999999999999999999999"), "--count: -99999999999999999999999 is too small; use at least 1");
}

TEST(Numbers, PairsNeedBothSides) {
  EXPECT_EQ(parse_pair("3x4", 'x', kRule), std::make_pair(std::int64_t{3}, std::int64_t{4}));
  for (const char* text : {"3", "x4", "3x", "x", "", "3x4x5", "3,4"}) {
    EXPECT_THROW(parse_pair(text, 'x', kRule), InputError) << text;
  }
}

TEST(Numbers, AssignmentsSplitAtTheFirstEqualsSign) {
  const auto [key, value] = parse_assignment("a.b=c=d", "--param", "");
  EXPECT_EQ(key, "a.b");
  EXPECT_EQ(value, "c=d");
  for (const char* text : {"a", "=b", "a=", ""})
    EXPECT_THROW(parse_assignment(text, "--param", ""), InputError) << text;
}

RC_GTEST_PROP(Numbers, ReadBackWhatTheyPrint, (std::int64_t value)) {
  const NumberRule any{.flag = "--x", .least = INT64_MIN, .most = INT64_MAX, .example = "1"};
  RC_ASSERT(parse_number(std::to_string(value), any) == value);
}

}  // namespace
}  // namespace muster
