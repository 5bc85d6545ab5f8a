// Predictions against the lemmas of "Near-Optimal Wafer-Scale Reduce" (HPDC'24), worked out by hand for T_R = 2.
#include <gtest/gtest.h>

#include <cmath>

#include "collective/collective_test_support.h"

namespace muster {
namespace {

TEST(Star, TakesTheRootsPortAndOneMessage) {  // B (P - 1) + 2 T_R + 1
  EXPECT_EQ(predicted("star", reduce_request(2, 1, 1)), 6);
  EXPECT_EQ(predicted("star", reduce_request(512, 1, 1)), 516);
  EXPECT_EQ(predicted("star", reduce_request(64, 1, 256)), 256 * 63 + 5);
  EXPECT_EQ(predicted("star", reduce_request(1, 64, 256, 31)), 256 * 63 + 5) << "the root's position does not matter";
}

TEST(Chain, TakesOneHopPlusRampPerProcessor) {  // Lemma 5.2: B + (2 T_R + 2)(P - 1)
  EXPECT_EQ(predicted("chain", reduce_request(2, 1, 1)), 7);
  EXPECT_EQ(predicted("chain", reduce_request(512, 1, 256)), 256 + 6 * 511);
  EXPECT_EQ(predicted("chain", reduce_request(1, 100, 4096, 99)), 4096 + 6 * 99);
}

TEST(Chain, WithARootInsideTakesBothSidesThroughOnePort) {
  // The first side ends at 100 + 6 x 5, the second follows without a gap: 100 more.
  EXPECT_EQ(predicted("chain", reduce_request(11, 1, 100, 5)), 130 + 100);
  // Ten PEs on the short side, 53 on the long one, which ends as if it were alone: 256 + 6 x 53.
  EXPECT_EQ(predicted("chain", reduce_request(64, 1, 256, 53)), 574);
}

TEST(Tree, IsLemma53ForPowersOfTwo) {
  for (const int bits : {1, 2, 3, 6, 9}) {
    for (const std::int64_t count : {1, 7, 64, 1000}) {
      const int p = 1 << bits;
      const double energy = static_cast<double>(count * p) / (2.0 * (p - 1)) * bits;
      const double expected = std::max(static_cast<double>(count * bits), energy + p - 1) + 5 * bits;
      EXPECT_EQ(predicted("tree", reduce_request(p, 1, count)), static_cast<std::int64_t>(std::ceil(expected)))
          << "P = " << p << ", B = " << count;
    }
  }
}

TEST(Tree, NeedsNoPowerOfTwo) {
  // P = 6: edges 1-0, 2-0, 3-2, 4-0, 5-4 of length 1 + 2 + 1 + 4 + 1 = 9; depth 2; the root has three children.
  EXPECT_EQ(predicted("tree", reduce_request(6, 1, 1)), 2 + 5 + 2 * 5) << "max(3, 9 / 5 + 5) + 2 (2 T_R + 1)";
  EXPECT_EQ(predicted("tree", reduce_request(6, 1, 100)), 300 + 2 * 5);
}

TEST(TwoPhase, IsLemma54ForSquares) {
  for (const std::int64_t side : {2, 4, 8, 16}) {
    for (const std::int64_t count : {1, 16, 100, 1000}) {
      const double p = static_cast<double>(side * side);
      const auto b = static_cast<double>(count);
      const double expected =
          std::max(2 * b, 2 * b - 2 * b / static_cast<double>(side) + p) + static_cast<double>(2 * side - 2) * 5;
      EXPECT_EQ(predicted("two-phase", reduce_request(static_cast<std::int32_t>(side * side), 1, count)),
                static_cast<std::int64_t>(std::ceil(expected)))
          << "S = " << side << ", B = " << count;
    }
  }
}

TEST(TwoPhase, CountsThePartialGroupAtTheRoot) {
  // P = 10, S = 4: leaders 0, 2, 6; edges 1 + 2 + 1 + 1 + 1 + 4 + 1 + 1 + 1 = 13; depth 2 + 3; two children at most.
  EXPECT_EQ(predicted("two-phase", reduce_request(10, 1, 1), {{"group", 4}}), 2 + 10 + 5 * 5);
  EXPECT_EQ(predicted("two-phase", reduce_request(10, 1, 100), {{"group", 4}}), 200 + 5 * 5);
}

TEST(TwoPhase, TakesTheSquareRootForItsGroups) {
  const Request request = reduce_request(512, 1, 8);
  const Algorithm& algorithm = find_algorithm(Collective::reduce, "mesh", "two-phase");
  EXPECT_EQ(complete_parameters(algorithm, request, {}).at("group"), 23);
}

TEST(Flood, TakesOneMessageToTheFarthestProcessor) {  // Lemmas 4.1 and 7.1
  EXPECT_EQ(predicted("flood", broadcast_request(512, 1, 256)), 256 + 512 + 4);
  EXPECT_EQ(predicted("flood", broadcast_request(2, 1, 1)), 1 + 2 + 4);
  EXPECT_EQ(predicted("flood", broadcast_request(8, 4, 100)), 100 + 8 + 4 - 2 + 4 + 1);
  EXPECT_EQ(predicted("flood", broadcast_request(9, 1, 10, 4)), 10 + 4 + 5);
}

Request allreduce_request(std::int32_t width, std::int32_t height, std::int64_t count) {
  return {.machine = ideal_wafer(width, height), .collective = Collective::allreduce, .count = count, .root = 0};
}

TEST(XY, AddsTheTimesOfARowAndAColumn) {  // §7.2
  EXPECT_EQ(predicted("xy-chain", reduce_request(8, 5, 100)), (100 + 6 * 7) + (100 + 6 * 4));
  EXPECT_EQ(predicted("xy-chain", reduce_request(11, 5, 100, 5)), (130 + 100) + (100 + 6 * 4)) << "(5,0)";
  EXPECT_EQ(predicted("xy-best-tree", reduce_request(512, 512, 4096)), 2 * 7161);
  EXPECT_EQ(predicted("xy-two-phase", reduce_request(16, 9, 1), {{"x-group", 4}, {"y-group", 3}}),
            predicted("two-phase", reduce_request(16, 1, 1), {{"group", 4}}) +
                predicted("two-phase", reduce_request(9, 1, 1), {{"group", 3}}));
}

TEST(Snake, TakesTheTimeOfAChainOfAllProcessors) {  // §7.3
  EXPECT_EQ(predicted("snake", reduce_request(4, 4, 256)), 256 + 6 * 15);
  for (const NodeId corner : {0, 6, 28, 34}) {
    EXPECT_EQ(predicted("snake", reduce_request(7, 5, 100, corner)), 100 + 6 * 34) << corner;
  }
  // The root is in the middle of the path: 17 hops to either end, the second arm follows without a gap.
  EXPECT_EQ(predicted("snake", reduce_request(7, 5, 100, 17)), 100 + 6 * 17 + 100);
}

TEST(ReduceThenFlood, AddsBothTimes) {  // §6.1 and §7.4
  EXPECT_EQ(predicted("chain-flood", allreduce_request(512, 1, 256)), (256 + 6 * 511) + (256 + 512 + 4));
  EXPECT_EQ(predicted("chain-flood", allreduce_request(11, 1, 100), {{"root", 5}}), (130 + 100) + (100 + 5 + 5));
  EXPECT_EQ(predicted("xy-chain-flood", allreduce_request(8, 5, 100)), (100 + 6 * 7) + (100 + 6 * 4) + (100 + 11 + 5));
  EXPECT_EQ(predicted("x-then-y-chain", allreduce_request(8, 5, 100)),
            (100 + 6 * 7) + (100 + 7 + 5) + (100 + 6 * 4) + (100 + 4 + 5));
}

TEST(Ring, IsLemma61InThePaper) {  // 2 (P - 1) B / P + 4 P - 6 + 2 (P - 1)(2 T_R + 1)
  const auto lemma = [](const std::string& name, const Request& request) {
    return paper_cycles(find_algorithm(Collective::allreduce, "mesh", name), request, {}).value();
  };
  EXPECT_EQ(lemma("ring", allreduce_request(8, 1, 64)), 2 * 7 * 8 + 26 + 14 * 5);
  EXPECT_EQ(lemma("ring-folded", allreduce_request(1, 8, 64)), 2 * 7 * 8 + 26 + 14 * 5);
  EXPECT_EQ(lemma("ring", allreduce_request(8, 1, 65)), 2 * 7 * 9 + 26 + 14 * 5) << "the largest chunk counts";
}

TEST(Ring, TakesTwoCyclesPerWordOfLongChunksAndTheWayOfShortOnes) {  // ours: 2 (P - 1) max(2 c, c + 2 T_R + 2)
  EXPECT_EQ(predicted("ring", allreduce_request(8, 1, 64)), 14 * 16);
  EXPECT_EQ(predicted("ring-folded", allreduce_request(1, 8, 65)), 14 * 18);
  EXPECT_EQ(predicted("ring", allreduce_request(8, 1, 8)), 14 * (1 + 6));
}

TEST(EveryAlgorithm, CopiesOnASingleProcessor) {
  for (const Algorithm& algorithm : algorithms_of("mesh")) {
    const Request request = sized_for(reduce_request(1, 1, 33), algorithm.collective);
    if (algorithm.unsupported(request)) continue;
    EXPECT_EQ(predicted(algorithm.name, request), request.count) << algorithm.name;
  }
}

}  // namespace
}  // namespace muster
