#include "base/one_line.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(OneLine, KeepsPlainText) { EXPECT_EQ(one_line("2 µs"), "2 µs"); }

TEST(OneLine, ShowsControlCharactersAsQuestionMarks) { EXPECT_EQ(one_line("a\nb\x1b[K\x7f"), "a?b?[K?"); }

TEST(OneLine, CutsLongTextButNoCharacter) {
  EXPECT_EQ(one_line("abcdef", 3), "abc...");
  EXPECT_EQ(one_line("abc", 3), "abc");
  EXPECT_EQ(one_line("aµb", 2), "a...");
}

}  // namespace
}  // namespace muster
