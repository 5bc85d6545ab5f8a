#include "study/families.h"

#include <gtest/gtest.h>

#include "machine/families.h"

namespace muster {
namespace {

FamilyStudies of(const Network& network) { return studies_of({.name = "m", .summary = "", .network = network}); }

TEST(FamilyStudies, AreFoundByTheNamesOfTheFamilies) {
  EXPECT_NE(of(Mesh{}).model, nullptr);
  EXPECT_NE(of(Cluster{}).advise, nullptr);
  EXPECT_NE(of(HyperX{}).add_to_plan, nullptr);
}

TEST(FamilyStudies, OfAFamilyWithoutALineAreThoseOfAll) {
  const FamilyStudies torus = of(Torus{});
  EXPECT_EQ(torus.explainer, explain_path);
  EXPECT_EQ(torus.advise, nullptr);
}

}  // namespace
}  // namespace muster
