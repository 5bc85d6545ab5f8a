#include "base/error.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

const std::vector<std::string> kKnown = {"chain", "star", "tree", "two-phase", "flood"};

TEST(Suggest, NamesTheNearestFirst) {
  EXPECT_EQ(suggest("chian", kKnown), "did you mean 'chain'?");
  EXPECT_EQ(suggest("chai", kKnown), "did you mean 'chain'?");
  EXPECT_EQ(suggest("two-fase", kKnown), "did you mean 'two-phase'?");
  EXPECT_EQ(suggest("t", kKnown), "did you mean 'tree' or 'two-phase'?");
}

TEST(Suggest, ListsAllNamesWhenNoneIsNear) {
  EXPECT_EQ(suggest("quicksort", kKnown), "known: chain, star, tree, two-phase, flood");
  EXPECT_EQ(suggest("x", std::span<const std::string>{}), "none are known");
}

TEST(Suggest, IsNotSlowedByEndlessNames) { EXPECT_TRUE(nearest_names(std::string(10'000'000, 'x'), kKnown).empty()); }

TEST(Outcome, HoldsAValueOrAReason) {
  const Outcome<int> value = 3;
  const Outcome<int> refusal = Refusal{"no plan fits"};
  EXPECT_TRUE(value.ok());
  EXPECT_EQ(value.value(), 3);
  EXPECT_FALSE(refusal.ok());
  EXPECT_EQ(refusal.reason(), "no plan fits");
}

TEST(Outcome, AskingForWhatIsNotThereIsABug) {
  const Outcome<int> value = 3;
  const Outcome<int> refusal = Refusal{"no plan fits"};
  EXPECT_THROW((void)refusal.value(), InternalError);
  EXPECT_THROW((void)value.reason(), InternalError);
}

TEST(Assertion, SaysWhatWasBroken) {
  try {
    MUSTER_ASSERT(1 + 1 == 3, "sum was {}", 2);
    FAIL();
  } catch (const InternalError& e) {
    EXPECT_NE(std::string(e.what()).find("sum was 2 (broken: 1 + 1 == 3)"), std::string::npos) << e.what();
  }
}

TEST(Reject, ThrowsOneFormattedLine) {
  try {
    reject("--count: '{}' is not a number", "x");
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "--count: 'x' is not a number");
  }
}

}  // namespace
}  // namespace muster
