#include "collective/bounds/bound.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/index.h"
#include "collective/collective_test_support.h"
#include "machine/mesh.h"

namespace muster {
namespace {

/// The bound of that name, or -1.
std::int64_t bound(const std::string& name, const Request& request) {
  for (const Bound& bound : lower_bounds(request)) {
    if (bound.name == name) return bound.cycles.value();
  }
  return -1;
}

std::int64_t distance_plus_port(Collective collective, std::int32_t width, std::int32_t height, std::int64_t count,
                                NodeId root = 0) {
  Request request = reduce_request(width, height, count, root);
  request.collective = collective;
  return bound("distance plus port", request);
}

TEST(DistancePlusPort, IsTheVectorTheDistanceAndTwoRamps) {
  EXPECT_EQ(distance_plus_port(Collective::reduce, 512, 1, 256), 256 + 511 + 4);
  EXPECT_EQ(distance_plus_port(Collective::reduce, 1, 9, 10, 4), 10 + 4 + 4) << "a root in the middle is nearer";
  EXPECT_EQ(distance_plus_port(Collective::broadcast, 8, 4, 100), 100 + 7 + 3 + 4);
  EXPECT_EQ(distance_plus_port(Collective::reduce, 512, 512, 8192), 9218);
  EXPECT_EQ(distance_plus_port(Collective::allreduce, 8, 4, 100, 9), 100 + 7 + 3 + 4) << "wherever the root would be";
  EXPECT_EQ(distance_plus_port(Collective::barrier, 8, 4, 1), 1 + 7 + 3 + 4);
}

TEST(DistancePlusPort, CountsTheBlocksThatGoAtLeastSoFar) {
  // Blocks of 10 words on a row of 4: 30 words leave, the nearest of them for 1 hop.
  EXPECT_EQ(distance_plus_port(Collective::reduce_scatter, 4, 1, 40), 30 + 1 + 4);
  // Who has to send or store every word, its own block too, needs a cycle for each.
  for (const Collective collective :
       {Collective::scatter, Collective::gather, Collective::allgather, Collective::all_to_all}) {
    EXPECT_EQ(distance_plus_port(collective, 4, 1, 40), 40) << collective_name(collective);
    EXPECT_EQ(distance_plus_port(collective, 8, 1, 8), 7 + 1 + 4) << collective_name(collective);
  }
  // Blocks of 1 word: the farthest alone takes 1 + 3 + 4, all three 3 + 1 + 4.
  EXPECT_EQ(distance_plus_port(Collective::scatter, 4, 1, 4), 3 + 1 + 4);
  // 2 words for 4 ranks: ranks 0 and 1 have one each, so only the neighbour gets anything from rank 0.
  EXPECT_EQ(distance_plus_port(Collective::scatter, 4, 1, 2), 1 + 1 + 4);
  EXPECT_EQ(distance_plus_port(Collective::scatter, 4, 1, 1), 1) << "nothing travels, one word is stored";
  EXPECT_EQ(distance_plus_port(Collective::scatter, 4, 1, 2, 3), 1 + 3 + 4);
  EXPECT_EQ(distance_plus_port(Collective::all_to_all, 2, 2, 8), 6 + 1 + 4);
}

TEST(Takes, AreTwicePerElementAndProcessorButOne) {
  const auto takes = [](std::int32_t width, std::int32_t height, std::int64_t count) {
    Request request = reduce_request(width, height, count);
    request.collective = Collective::allreduce;
    return bound("takes", request);
  };
  EXPECT_EQ(takes(2, 1, 100), 100 + 1 + 4) << "two processors exchange their vectors";
  EXPECT_EQ(takes(4, 1, 100), 150 + 1 + 4);
  EXPECT_EQ(takes(3, 1, 1), 2 + 1 + 4) << "4 takes by 3 processors: one of them has 2";
  EXPECT_EQ(takes(512, 512, 8192), 16384 + 1 + 4) << "2 B - 1/16, rounded up";
}

TEST(Bisection, IsWhatCrossesTheMiddle) {
  Request request = reduce_request(8, 1, 16);
  request.collective = Collective::all_to_all;
  EXPECT_EQ(bound("bisection", request), 4 * 4 * 2 + 1 + 4);
  request.machine = ideal_wafer(4, 3);
  request.count = 12;
  EXPECT_EQ(bound("bisection", request), 2 * 2 * 3 + 1 + 4);
  request.count = 13;
  EXPECT_EQ(bound("bisection", request), -1) << "no block size";
}

/// The recursion of Lemma 5.5 as it stands, for P PEs and each depth.
std::vector<std::vector<std::int64_t>> energies(std::int32_t most) {
  constexpr std::int64_t kNone = std::int64_t{1} << 40;
  std::vector<std::vector<std::int64_t>> energy(at(most), std::vector<std::int64_t>(at(most) + 1, kNone));
  for (std::int64_t depth = 0; depth < most; ++depth) {
    auto& now = energy[at(depth)];
    now[1] = 0;
    for (std::int64_t p = 2; depth > 0 && p <= most; ++p) {
      for (std::int64_t i = 1; i < p; ++i) {
        now[at(p)] = std::min(now[at(p)], now[at(i)] + energy[at(depth) - 1][at(p - i)] + std::min(i, p - i + 1));
      }
    }
  }
  return energy;
}

TEST(PaperRow, IsTheRecursionOfItsLemmaSolved) {
  constexpr std::int32_t kMost = 48;
  const auto energy = energies(kMost);
  for (std::int32_t p = 2; p <= kMost; ++p) {
    for (const std::int64_t count : {1, 8, 47, 300, 4000}) {
      double least = 1e18;
      for (std::int32_t depth = 1; depth < p; ++depth) {
        const auto load = static_cast<double>(count * energy[at(depth)][at(p)]);
        least = std::min(least, load / (p - 1) + (p - 1) + depth * 5);
      }
      EXPECT_NEAR(static_cast<double>(bound("paper 1d (Lemma 5.5)", reduce_request(p, 1, count))), least, 0.5001)
          << p << " PEs, " << count << " words";
    }
  }
}

TEST(PaperRow, HasTheValuesThatWeKnow) {
  const auto row = [](std::int32_t p, std::int64_t count) {
    return bound("paper 1d (Lemma 5.5)", reduce_request(p, 1, count));
  };
  EXPECT_EQ(row(512, 1), 518);
  EXPECT_EQ(row(512, 8), 532);
  EXPECT_EQ(row(512, 64), 644);
  EXPECT_EQ(row(512, 256), 1027);
  EXPECT_EQ(row(512, 1024), 2562);
  EXPECT_EQ(row(512, 4096), 7162);
  EXPECT_EQ(row(16, 8), 35);
  EXPECT_EQ(bound("paper 2d (Lemma 7.2)", reduce_request(512, 512, 8192)), 8197);
  EXPECT_EQ(bound("paper 2d (Lemma 7.2)", reduce_request(4, 6, 8)), 1 + 9 + 5);
}

/// The fastest pre-order tree of whole vectors on a row, root at its end: a schedule of the class, so no bound may be
/// above it. G is when the first of p neighbours holds their sum, F when it can begin to send it.
std::vector<std::int64_t> best_trees(std::int64_t most, std::int64_t words, std::int64_t ramp) {
  std::vector<std::int64_t> sum(at(most) + 1, 0), send(at(most) + 1, 0);
  for (std::int64_t p = 2; p <= most; ++p) {
    std::int64_t begin = std::int64_t{1} << 60;
    for (std::int64_t i = 1; i < p; ++i) {
      begin = std::min(begin, std::max(sum[at(i)], send[at(p - i)] + i + 2 * ramp));
    }
    sum[at(p)] = begin + words;
    send[at(p)] = begin + 1;
  }
  return sum;
}

TEST(SpaceTime, IsNeverAboveTheBestTree) {
  int tight = 0;
  for (const std::int64_t ramp : {0, 1, 2, 7}) {
    for (std::int64_t words = 1; words <= 150; words += 1 + words / 8) {
      const auto trees = best_trees(60, words, ramp);
      for (std::int32_t p = 3; p <= 60; ++p) {
        Request request = reduce_request(p, 1, words);
        as<Mesh>(request.machine)->ramp_latency = Ticks(ramp);
        EXPECT_LE(bound("space-time", request), trees[at(p)]) << p << " PEs, " << words << " words, ramp " << ramp;
        tight += bound("space-time", request) == trees[at(p)] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(tight, 100) << "and often equal to it";
}

TEST(SpaceTime, HasTheValuesThatWeKnow) {
  const auto row = [](std::int64_t count) { return bound("space-time", reduce_request(512, 1, count)); };
  EXPECT_EQ(row(1), 516);
  EXPECT_EQ(row(8), 527);
  EXPECT_EQ(row(128), 695);
  EXPECT_EQ(row(256), 874);
  EXPECT_EQ(row(512), 1233);
  EXPECT_EQ(row(1024), 1942);
  EXPECT_EQ(row(2048), 3103);
  EXPECT_EQ(row(4096), 5151);
}

TEST(TwoSides, EnterTheRootThroughOnePort) {
  EXPECT_EQ(bound("two sides", reduce_request(9, 1, 100, 4)), 200 + 1 + 4);
  EXPECT_EQ(bound("two sides", reduce_request(9, 1, 100, 8)), -1);
}

TEST(Bounds, OfThePipelineComeFirstThenTheLargest) {
  for (const Request& request : {reduce_request(512, 1, 64), reduce_request(8, 8, 1), reduce_request(9, 1, 50, 4)}) {
    const std::vector<Bound> all = lower_bounds(request);
    ASSERT_GE(all.size(), 2U);
    EXPECT_TRUE(all.front().for_pipeline);
    EXPECT_FALSE(all.back().for_pipeline);
    for (std::size_t i = 1; i < all.size(); ++i) {
      EXPECT_GE(all[i - 1].for_pipeline, all[i].for_pipeline);
      if (all[i - 1].for_pipeline == all[i].for_pipeline) {
        EXPECT_GE(all[i - 1].cycles, all[i].cycles);
      }
    }
  }
}

TEST(Bounds, OfASingleProcessorAreTheCopy) { EXPECT_EQ(bound("copy", reduce_request(1, 1, 10)), 10); }

TEST(Bounds, StayCountableForAnyVector) {
  for (const std::int64_t count : {std::int64_t{1} << 40, std::int64_t{1} << 62}) {
    for (const Bound& bound : lower_bounds(reduce_request(750, 1, count)))
      EXPECT_GE(bound.cycles.value(), count) << bound.name;
  }
}

TEST(Bounds, DoNotExceedThePaperFormulasWhereTheyAreExact) {
  for (std::int32_t p = 2; p <= 64; ++p) {
    for (const std::int64_t count : {1, 2, 17, 256}) {
      const Request reduce = reduce_request(p, 1, count);
      const std::int64_t best = lower_bounds(reduce).at(0).cycles.value();
      EXPECT_LE(best, predicted("star", reduce));
      EXPECT_LE(best, predicted("chain", reduce));
      EXPECT_LE(lower_bounds(broadcast_request(p, 1, count)).at(0).cycles.value(),
                predicted("flood", broadcast_request(p, 1, count)));
    }
  }
}

TEST(Bounds, AreNotClaimedWhereNoneIsProven) {
  Request request = reduce_request(4, 1, 8);
  request.collective = Collective::neighbours;
  EXPECT_TRUE(lower_bounds(request).empty());
}

}  // namespace
}  // namespace muster
