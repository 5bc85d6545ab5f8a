#include "backend/cluster/msccl/xml.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster::msccl {
namespace {

/// Every tag as "line <name a=value>" or "line </name>".
std::vector<std::string> tags(std::string_view text) {
  XmlReader reader(text, "f.xml");
  XmlTag tag;
  std::vector<std::string> all;
  while (reader.next(tag)) {
    std::string tag_text = fmt::format("{} <{}{}", tag.line, tag.is_end ? "/" : "", tag.name);
    for (const XmlAttribute& a : tag.attributes) tag_text += fmt::format(" {}={}", a.name, a.value);
    all.push_back(tag_text + ">");
  }
  return all;
}

std::string refusal(std::string_view text) {
  try {
    (void)tags(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

using Tags = std::vector<std::string>;

TEST(Xml, ReadsTagsWithTheirLines) {
  EXPECT_EQ(tags("<?xml\nversion=\"1.0\"?>\n<!-- two\nlines --><a x=\"1\"\n   y='2' >\n<b/>\r\n</a >\n"),
            (Tags{"4 <a x=1 y=2>", "6 <b>", "6 </b>", "7 </a>"}));
  EXPECT_EQ(tags(""), Tags{});
  EXPECT_EQ(tags("<!----> \n\t"), Tags{});
}

TEST(Xml, ReadsValuesAsTheyAreMeant) {
  EXPECT_EQ(tags("<a x=\"&lt;&gt;&amp;&quot;&apos;\" y='\"' z = \"'\" w=\"\" v=\">/\"/>"),
            (Tags{"1 <a x=<>&\"' y=\" z=' w= v=>/>", "1 </a>"}));
  EXPECT_EQ(tags("<a x=\"&amp;lt;\" y=\"a&amp;b&amp;c\" z=\"plain\"/>").front(), "1 <a x=&lt; y=a&b&c z=plain>");
}

TEST(Xml, RefusesWithTheLineOfWhatIsWrong) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"text", "f.xml:1: 'text' is not an XML tag; an MSCCL file contains nothing else"},
      {"<a>\n  text</a>", "f.xml:2: 'text</a>' is not an XML tag; an MSCCL file contains nothing else"},
      {"\n<!-- never ends\n\n", "f.xml:2: a comment does not end; '-->' is missing"},
      {"<?xml", "f.xml:1: a declaration does not end; '?>' is missing"},
      {"<!a>", "f.xml:1: '!a>' is not a name"},
      {"< a/>", "f.xml:1: ' a/>' is not a name"},
      {"<a", "f.xml:1: the text ends inside <a"},
      {"<a\n x=\"1\"\n", "f.xml:3: the text ends inside <a"},
      {"<a x", "f.xml:1: 'x' has no value; write x=\"...\""},
      {"<a x 1/>", "f.xml:1: 'x' has no value; write x=\"...\""},
      {"<a x=1/>", "f.xml:1: '1/>' is not a value; put it in quotation marks"},
      {"<a x=", "f.xml:1: '' is not a value; put it in quotation marks"},
      {"<a x=\"1\n\n", "f.xml:3: a value does not end; a quotation mark is missing"},
      {"<a x=\"1\n<b y=\"", "f.xml:2: a value has a '<'; is a quotation mark missing?"},
      {"<a\n x=\"\n&nbsp;\"/>", "f.xml:3: '&nbsp;' is unknown"},
      {"<a x=\"&\"/>", "f.xml:1: '&' is unknown"},
      {"<a x=\"1\" y=\"2\"\n x=\"3\"/>", "f.xml:2: <a> has 'x' twice"},
      {"<a / >", "f.xml:1: '/ >' is not a name"},
      {"<a></b>", "f.xml:1: </b> closes no element; <a> is open"},
      {"</a>", "f.xml:1: </a> closes no element; none is open"},
      {"<a></a", "f.xml:1: '</a' must end with '>'"},
      {"<a></a x=\"1\">", "f.xml:1: '</a' must end with '>'"},
      {"<a>\n<b>\n</b>\n", "f.xml:4: the text ends inside <a>; add </a>"},
  };
  for (const auto& c : cases) EXPECT_EQ(refusal(c.text), c.message) << c.text;
}

TEST(Xml, RefusesElementsThatAreNestedTooDeep) {
  std::string text;
  for (int i = 0; i < 64; ++i) text += "<a>\n";
  EXPECT_EQ(refusal(text), "f.xml:65: the text ends inside <a>; add </a>");
  EXPECT_EQ(refusal(text + "<a>"), "f.xml:65: elements are nested deeper than 64");
}

/// Names that are told apart by a mark of 64 bits must also be told apart where their marks are equal.
TEST(Xml, TellsAllNamesOfAnElementApart) {
  std::string text = "<a";
  for (int i = 0; i < 200; ++i) text += fmt::format(" n{}=\"{}\"", i, i);
  EXPECT_EQ(refusal(text + "/>"), "none");
  for (const int again : {0, 63, 199}) {
    EXPECT_EQ(refusal(fmt::format("{} n{}=\"\"/>", text, again)), fmt::format("f.xml:1: <a> has 'n{}' twice", again));
  }
}

RC_GTEST_PROP(Xml, ReadsEveryValueThatWasEscaped, (const std::string& value)) {
  std::string escaped;
  for (const char c : value) {
    escaped += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  const std::string text = "<a x=\"" + escaped + "\"/>";
  XmlReader reader(text, "f.xml");
  XmlTag tag;
  RC_ASSERT(reader.next(tag));
  RC_ASSERT(tag.attributes.size() == 1U);
  RC_ASSERT(tag.attributes[0].value == value);
}

}  // namespace
}  // namespace muster::msccl
