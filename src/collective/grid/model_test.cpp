#include "collective/grid/model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "collective/bounds/bound.h"
#include "collective/collective_test_support.h"
#include "machine/mesh.h"

namespace muster {
namespace {

ReductionTree star(std::int32_t size) {
  return ReductionTree::from(size, [](std::int32_t) { return 0; });
}

TEST(Model, IsEquationOne) {
  const Machine wafer = ideal_wafer(8, 1);
  const Mesh& mesh = *as<Mesh>(wafer);
  const ModelTerms contended{.depth = 3, .distance = 7, .energy = 70, .contention = 100, .links = 7};
  EXPECT_EQ(model_cycles(contended, mesh), Cycles(100 + 3 * 5));
  const ModelTerms spread{.depth = 3, .distance = 7, .energy = 71, .contention = 10, .links = 7};
  EXPECT_EQ(model_cycles(spread, mesh), Cycles(11 + 7 + 3 * 5)) << "parts of a cycle count as a whole one";
}

TEST(Model, CountsTheTermsOfAStarWithItsRootAtTheEnd) {
  const ModelTerms expected{.depth = 1, .distance = 4, .energy = 10 * 3, .contention = 4 * 3, .links = 4};
  EXPECT_EQ(tree_terms(star(5), 3), expected);
}

TEST(Model, LetsTheLongerSideFollowTheShorterOneThroughTheRootsPort) {
  const auto of_side = [](const ReductionTree& tree, std::int64_t, const Mesh&) {
    return Cycles(tree.size() == 3 ? 100 : 150);
  };
  EXPECT_EQ(reduce_cycles(reduce_request(7, 1, 10, 2), star, of_side), Cycles(150)) << "four streams of 10 after 100";
  EXPECT_EQ(reduce_cycles(reduce_request(7, 1, 20, 2), star, of_side), Cycles(100 + 4 * 20));
  EXPECT_EQ(reduce_cycles(reduce_request(7, 1, 20, 0), star, of_side), Cycles(150)) << "one side alone";
}

RC_GTEST_PROP(Model, PredictsNoTimeBelowTheBound, ()) {
  const auto length = *rc::gen::inRange(1, 100);
  const bool row = *rc::gen::arbitrary<bool>();
  Request line =
      reduce_request(row ? length : 1, row ? 1 : length, *rc::gen::inRange(1, 300), *rc::gen::inRange(0, length));
  Mesh& mesh = *as<Mesh>(line.machine);
  mesh.hop_latency = Cycles(*rc::gen::inRange(1, 120));
  mesh.ramp_latency = Cycles(*rc::gen::inRange(1, 20));
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    const Request request = sized_for(line, algorithm.collective);
    if (algorithm.unsupported(request) || lower_bounds(request).empty()) continue;
    Parameters given;
    for (const ParameterSpec& spec : algorithm.parameters) {
      given[spec.name] = *rc::gen::inRange(spec.least(request), spec.most(request) + 1);
    }
    const std::int64_t cycles = predicted(algorithm.name, request, given);
    const std::int64_t bound = lower_bounds(request).at(0).cycles.value();
    RC_LOG() << algorithm.name << " on " << length << ", root " << request.root << ": " << cycles << ", bound "
             << bound;
    RC_ASSERT(cycles >= bound);
  }
}

TEST(Model, CountsAStarsWayWhereHopsAreSlow) {
  Request request = reduce_request(64, 1, 1);
  as<Mesh>(request.machine)->hop_latency = Cycles(100);
  EXPECT_EQ(predicted("star", request), 1 + 63 * 100 + 4) << "the farthest word is on its way when the others are in";
  request.count = 200;
  EXPECT_EQ(predicted("star", request), 200 * 63 + 100 + 4) << "long vectors queue up at the root";
}

TEST(Model, StaysAtTheLargestNumberWhereItCannotCount) {
  Request request = reduce_request(1'000'000, 1, 1'000'000'000'000, 7);
  as<Mesh>(request.machine)->hop_latency = Cycles(1000);
  const auto most = std::numeric_limits<std::int64_t>::max();
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    request.collective = algorithm.collective;
    if (algorithm.unsupported(request) || lower_bounds(request).empty()) continue;
    EXPECT_GE(predicted(algorithm.name, request), lower_bounds(request).at(0).cycles.value()) << algorithm.name;
  }
  request.collective = Collective::reduce;
  request.count = most / 1000;
  EXPECT_EQ(predicted("star", request), most);
}

TEST(Model, FindsTheFarthestProcessorOfAGrid) {
  const Machine wafer = ideal_wafer(5, 4);
  EXPECT_EQ(farthest_hops(*as<Mesh>(wafer), 0), 4 + 3);
  EXPECT_EQ(farthest_hops(*as<Mesh>(wafer), 1 * 5 + 3), 3 + 2);
}

}  // namespace
}  // namespace muster
