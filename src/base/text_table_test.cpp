#include "base/text_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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

TEST(TextTable, CountsPlacesAndNotBytes) {
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
