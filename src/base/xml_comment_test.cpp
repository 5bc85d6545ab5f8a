// Commands that comments of XML can hold.
#include "base/xml_comment.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace muster {
namespace {

TEST(XmlComment, KeepsHyphensApartAsAShellIgnores) {
  EXPECT_EQ(xml_comment("muster emit --out a-b"), "muster emit -''-out a-b");
  EXPECT_EQ(xml_comment("muster emit --out 'a --b'"), "muster emit -''-out 'a -''-b'")
      << "the quotes end and begin again";
  EXPECT_EQ(xml_comment("---"), "-''-''-");
}

RC_GTEST_PROP(XmlComment, NeverHoldsTwoHyphensAndLosesNothing, ()) {
  const std::string text = *rc::gen::container<std::string>(rc::gen::element('-', 'a', ' '));
  std::string comment = xml_comment(text);
  RC_ASSERT(comment.find("--") == std::string::npos);
  for (std::size_t i = comment.find("''"); i != std::string::npos; i = comment.find("''")) comment.erase(i, 2);
  RC_ASSERT(comment == text);
}

}  // namespace
}  // namespace muster
