#include "base/one_line.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(OneLine, KeepsPlainText) { EXPECT_EQ(one_line("2 µs"), "2 µs"); }

TEST(OneLine, ShowsControlCharactersAsQuestionMarks) { EXPECT_EQ(one_line("a\nb\x1b[K\x7f"), "a?b?[K?"); }

TEST(OneLine, ShowsBytesThatAreNoCharacterAsQuestionMarks) {
  EXPECT_EQ(one_line("\x7f"
                     "ELF\xb7\x01"),
            "?ELF??");
  EXPECT_EQ(one_line("\xc3"), "?") << "cut within a character";
  EXPECT_EQ(one_line("\xe2\x82z\xc0\x80"), "??z??");
  EXPECT_EQ(one_line("5 \u20ac \U0001F600"), "5 \u20ac \U0001F600");
}

TEST(OneLine, CutsLongTextButNoCharacter) {
  EXPECT_EQ(one_line("abcdef", 3), "abc...");
  EXPECT_EQ(one_line("abc", 3), "abc");
  EXPECT_EQ(one_line("aµb", 2), "a...");
}

}  // namespace
}  // namespace muster
