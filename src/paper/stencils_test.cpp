#include <gtest/gtest.h>

#include "base/rejection_test_support.h"
#include "base/source_dir.h"
#include "machine/loader.h"
#include "paper/claims.h"

namespace muster {
namespace {

ClaimFile claims_about(const std::string& lines) {
  return parse_claims(R"(paper = "P"
machine = "wse2-paper"
[[claim]]
id = "x"
section = "1"
statement = "s"
source = "ours"
kind = "stencil_value"
holds = true
explanation = ""
)" + lines,
                      "p.toml");
}

std::string measured(const std::string& lines) {
  const ClaimFile file = claims_about(lines);
  return check_claim(file.claims.front(), file, {load_machine(source_dir() + "/machines/wse2-paper.toml")}).measured;
}

TEST(StencilClaims, AreNumbersByName) {
  EXPECT_EQ(measured("value = \"block\"\ncells = 700\nexpected = 350\n"), "350");
  EXPECT_EQ(measured("value = \"operations needed\"\nexpected = 51\n"), "51");
  EXPECT_EQ(measured("value = \"slots per cell\"\nexpected = 49\n"), "49");
}

TEST(StencilClaims, SayWhichValuesThereAre) {
  const std::string message = rejection([] { claims_about("value = \"operation needed\"\nexpected = 51\n"); });
  EXPECT_NE(message.find("operations needed"), std::string::npos) << message;
}

TEST(StencilClaims, WithColumnsThatNoPeHoldsAreRefused) {
  EXPECT_THROW(measured("value = \"block\"\ncells = 10000\nexpected = 1\n"), InputError);
}

}  // namespace
}  // namespace muster
