#include "base/carried.h"

#include <gtest/gtest.h>

#include <string>

namespace muster {
namespace {

TEST(Carried, OpensOnlyAsTheTypeThatItHolds) {
  const Carried text(std::string("eight"));
  ASSERT_NE(text.as<std::string>(), nullptr);
  EXPECT_EQ(*text.as<std::string>(), "eight");
  EXPECT_EQ(text.as<int>(), nullptr);
  EXPECT_EQ(text.of<int>(), 0);
  EXPECT_EQ(Carried().as<int>(), nullptr);
}

TEST(Carried, CopiesHaveValuesOfTheirOwn) {
  Carried first(7);
  Carried second = first;
  second.of<int>() = 8;
  EXPECT_EQ(first.of<int>(), 7);
  EXPECT_EQ(second.of<int>(), 8);
}

TEST(Carried, MakesADefaultWhereItHoldsSomethingElse) {
  Carried value(std::string("eight"));
  value.of<int>() += 3;
  EXPECT_EQ(value.of<int>(), 3);
  EXPECT_EQ(value.as<std::string>(), nullptr);
}

}  // namespace
}  // namespace muster
