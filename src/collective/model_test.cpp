#include "collective/model.h"

#include <gtest/gtest.h>

#include "collective/testing.h"

namespace muster {
namespace {

ReductionTree star(std::int32_t places) {
  return ReductionTree::from(places, [](std::int32_t) { return 0; });
}

TEST(Model, IsEquationOne) {
  const Machine wafer = ideal_wafer(8, 1);
  const Mesh& mesh = *wafer.mesh();
  const ModelTerms contended{.depth = 3, .distance = 7, .energy = 70, .contention = 100, .links = 7};
  EXPECT_EQ(model_cycles(contended, mesh), Cycles(100 + 3 * 5));
  const ModelTerms spread{.depth = 3, .distance = 7, .energy = 71, .contention = 10, .links = 7};
  EXPECT_EQ(model_cycles(spread, mesh), Cycles(11 + 7 + 3 * 5)) << "parts of a cycle count as a whole one";
}

TEST(Model, CountsTheTermsOfAStarWithItsRootAtTheEnd) {
  const ModelTerms expected{.depth = 1, .distance = 4, .energy = 10 * 3, .contention = 4 * 3, .links = 4};
  EXPECT_EQ(reduce_terms({.length = 5, .root = 0}, 3, star), expected);
  EXPECT_EQ(reduce_terms({.length = 5, .root = 4}, 3, star), expected);
}

TEST(Model, LetsBothSidesOfARootShareItsPort) {
  const ModelTerms expected{.depth = 1, .distance = 3, .energy = 7 * 2, .contention = 4 * 2, .links = 4};
  EXPECT_EQ(reduce_terms({.length = 5, .root = 1}, 2, star), expected);
}

TEST(Model, FindsTheFarthestProcessorOfAGrid) {
  const Machine wafer = ideal_wafer(5, 4);
  EXPECT_EQ(farthest_hops(*wafer.mesh(), 0), 4 + 3);
  EXPECT_EQ(farthest_hops(*wafer.mesh(), 1 * 5 + 3), 3 + 2);
}

}  // namespace
}  // namespace muster
