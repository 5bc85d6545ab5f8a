#include <gtest/gtest.h>

#include <set>

#include "base/rejection_test_support.h"
#include "collective/algorithm.h"
#include "collective/collective_test_support.h"

namespace muster {
namespace {

const Algorithm& two_phase() { return find_algorithm(Collective::reduce, "mesh", "two-phase"); }

TEST(Registry, HasEachNameOncePerCollectiveAndFamily) {
  std::set<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    const std::string name =
        fmt::format("{} {} {}", collective_name(algorithm.collective), algorithm.family, algorithm.name);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_FALSE(algorithm.summary.empty()) << name;
    EXPECT_FALSE(algorithm.source.empty()) << name;
  }
}

TEST(Registry, SuggestsTheNearestName) {
  const std::string message = rejection([] { find_algorithm(Collective::reduce, "mesh", "chian"); });
  EXPECT_EQ(message.find("algorithm: unknown algorithm 'chian' for reduce on a mesh; "), 0U) << message;
  EXPECT_NE(message.find("'chain'"), std::string::npos) << message;
}

TEST(Registry, SaysForWhichCollectivesAFamilyHasAlgorithms) {
  const std::string message = rejection([] { find_algorithm(Collective::neighbours, "mesh", "chain"); });
  EXPECT_EQ(message.find("there is no algorithm for neighbours on a mesh yet; use one of: reduce, broadcast"), 0U)
      << message;
  EXPECT_EQ(rejection([] { find_algorithm(Collective::reduce, "ring", "chain"); }), "no algorithms for a ring");
}

TEST(Parameters, AreCompletedByDefaults) {
  const Request request = reduce_request(100, 1, 8);
  EXPECT_EQ(complete_parameters(two_phase(), request, {}), (Parameters{{"group", 10}}));
  EXPECT_EQ(complete_parameters(two_phase(), request, {{"group", 7}}), (Parameters{{"group", 7}}));
}

TEST(Parameters, OutOfRangeAreRejectedWithBothLimits) {
  const Request request = reduce_request(100, 1, 8);
  EXPECT_EQ(rejection([&] {
              complete_parameters(two_phase(), request, {{"group", 0}});
            }),
            "parameters: group of two-phase: 0 is out of range; use 1 to 100");
  EXPECT_EQ(rejection([&] {
              complete_parameters(two_phase(), request, {{"group", 101}});
            }),
            "parameters: group of two-phase: 101 is out of range; use 1 to 100");
}

TEST(Parameters, UnknownAreRejectedWithTheNearestName) {
  const Request request = reduce_request(100, 1, 8);
  const std::string message = rejection([&] { complete_parameters(two_phase(), request, {{"grup", 4}}); });
  EXPECT_EQ(message.find("parameters: two-phase has no parameter 'grup'; "), 0U) << message;
  EXPECT_NE(message.find("'group'"), std::string::npos) << message;
  const Algorithm& chain = find_algorithm(Collective::reduce, "mesh", "chain");
  EXPECT_EQ(rejection([&] {
              complete_parameters(chain, request, {{"group", 4}});
            }),
            "parameters: chain takes none, got 'group'; leave it out");
}

}  // namespace
}  // namespace muster
