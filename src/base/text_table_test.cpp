#include "base/text_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace muster {
namespace {

TEST(TextTable, AlignsColumnsUnderTheirTitles) {
  TextTable table({{"name"}, {"cycles", TextTable::Align::right}, {"why"}});
  table.add({"chain", "12", "short"});
  table.add({"two-phase", "1234"});
  EXPECT_EQ(table.text(),
            "name       cycles  why\n"
            "---------  ------  -----\n"
            "chain          12  short\n"
            "two-phase    1234\n");
}

TEST(TextTable, HasNoHeaderWithoutTitles) {
  TextTable table({{""}, {"", TextTable::Align::right}});
  EXPECT_TRUE(table.empty());
  table.add({"a", "1"});
  table.add({"bb", "22"});
  EXPECT_EQ(table.text(), "a    1\nbb  22\n");
}

TEST(TextTable, CountsColumnsAndNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("µs"), 2U);
  EXPECT_EQ(display_width("→×²"), 3U);
  EXPECT_EQ(display_width("e\u0301"), 1U);   // a combining accent
  EXPECT_EQ(display_width("漢字"), 4U);      // wide
  EXPECT_EQ(display_width("\xff\xc3"), 2U);  // no UTF-8
  TextTable table({{"t"}, {"n"}});
  table.add({"µs", "1"});
  table.add({"ms", "2"});
  EXPECT_EQ(table.text(), "t   n\n--  -\nµs  1\nms  2\n");
}

TEST(TextTable, BreaksTheWidestTextColumnWhereItWouldBeTooWide) {
  TextTable table({{"name"}, {"cycles", TextTable::Align::right}, {"why"}});
  table.add({"two-phase group=23", "1,234", "its messages pass more routers than the budget"});
  EXPECT_EQ(table.text({.width = 50}),
            "name                cycles  why\n"
            "------------------  ------  ----------------------\n"
            "two-phase group=23   1,234  its messages pass more\n"
            "                            routers than the\n"
            "                            budget\n");
  EXPECT_EQ(table.text({.width = 200}), table.text());
  EXPECT_EQ(table.text({.width = 20}), table.text()) << "numbers stay whole, and it does not fit anyway";
}

TEST(TextTable, ColoursTheHighlightedRowOnly) {
  TextTable table({{"a"}, {"b"}});
  table.add_highlighted({"1", "2"});
  table.add({"3", "4"});
  EXPECT_EQ(table.text(), "a  b\n-  -\n1  2\n3  4\n");
  EXPECT_EQ(table.text({.colour = true}), "a  b\n-  -\n\033[1;32m1  2\033[0m\n3  4\n");
}

TEST(TextTable, BreaksLinesAtSpacesAndCutsLongerWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(broken_lines("  indented", 20), Lines{"  indented"});
  EXPECT_EQ(broken_lines("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(broken_lines("a abcdefgh b", 3), (Lines{"a", "abc", "def", "gh", "b"}));
  EXPECT_EQ(broken_lines("漢字漢字", 5), (Lines{"漢字", "漢字"}));
}

RC_GTEST_PROP(TextTable, BrokenLinesFitAndKeepTheWords, (const std::vector<bool>& bits)) {
  std::string text;
  for (const bool bit : bits) text += bit ? 'x' : ' ';
  const auto width = *rc::gen::inRange<std::size_t>(1, 9);
  std::size_t kept = 0;
  for (const std::string& line : broken_lines(text, width)) {
    RC_ASSERT(display_width(line) <= width);
    kept += static_cast<std::size_t>(std::count(line.begin(), line.end(), 'x'));
  }
  RC_ASSERT(kept == static_cast<std::size_t>(std::count(bits.begin(), bits.end(), true)));
}

TEST(TextTable, RefusesMoreCellsThanColumns) {
  TextTable table({{"a"}});
  EXPECT_THROW(table.add({"1", "2"}), InternalError);
}

RC_GTEST_PROP(TextTable, NeverCrashesOnAnyBytes, (const std::string& text)) {
  RC_ASSERT(display_width(text) <= 2 * text.size());
  TextTable table({{"title"}, {"x", TextTable::Align::right}});
  table.add({text, text});
  RC_ASSERT(table.text().size() >= 2 * text.size());
}

}  // namespace
}  // namespace muster
