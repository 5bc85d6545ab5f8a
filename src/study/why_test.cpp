#include "study/why.h"

#include <gtest/gtest.h>

#include "machine/mesh.h"
#include "plan/plan_test_support.h"

namespace muster {
namespace {

const Contender kChain{.name = "chain", .load = {.depth = 511, .hops = 130'816, .port = 256}, .time = Ticks(3321)};
const Contender kTwoPhase{
    .name = "two-phase", .load = {.depth = 44, .hops = 255'000, .port = 512}, .time = Ticks(1200)};
const Contender kStar{
    .name = "star", .load = {.depth = 1, .hops = 33'488'896, .port = 130'816}, .time = Ticks(130'821)};

Machine row() { return with_grid(shipped_machine("wse2"), 512, 1); }

TEST(Why, NamesTheDepthWhereItDecides) {
  EXPECT_EQ(why_it_wins(row(), kTwoPhase, kChain),
            "two-phase wins because it has depth 44 instead of chain's 511, which outweighs its busier port (512 "
            "words instead of 256)");
}

TEST(Why, NamesThePortWhereItDecides) {
  EXPECT_EQ(why_it_wins(row(), kTwoPhase, kStar),
            "two-phase wins because it has only 512 words through its busiest port instead of star's 130,816, which "
            "outweighs its depth of 44 instead of 1");
}

TEST(Why, NamesWhatIsStoredWholeWhereDepthAndPortDoNotDecide) {
  const Contender chain{
      .name = "chain", .load = {.depth = 8, .hops = 4096, .port = 512, .queue = 512}, .time = Ticks(560)};
  const Contender phases{
      .name = "two-phase", .load = {.depth = 5, .hops = 5632, .port = 512, .queue = 768}, .time = Ticks(792)};
  EXPECT_EQ(why_it_wins(with_grid(shipped_machine("wse2"), 17, 1), chain, phases),
            "chain wins because it serialises only 512 words on its longest path instead of two-phase's 768, "
            "which outweighs its depth of 8 instead of 5");
}

TEST(Why, GivesSharesOfBandwidthThatDiffer) {
  const auto contender = [](const char* name, std::int64_t time, double utilization) {
    return Contender{.name = name, .load = {}, .time = Ticks(time), .as_phases = true, .utilization = utilization};
  };
  EXPECT_EQ(why_it_wins(row(), contender("a", 10, 0.9881), contender("b", 11, 0.901)),
            "a wins because it uses 98.8% of the bandwidth instead of b's 90.1%");
  EXPECT_EQ(why_it_wins(row(), contender("a", 10, 0.03124), contender("b", 11, 0.03121)),
            "a wins because it uses 3.124% of the bandwidth instead of b's 3.121%");
  EXPECT_EQ(why_it_wins(row(), contender("a", 2'000'000, 0.5), contender("b", 3'500'000, 0.5)),
            "a wins by 1.500 us over b: it sends less");
}

TEST(Why, DoesNotInventAReason) {
  const Contender twin{.name = "twin", .load = kChain.load, .time = Ticks(3330)};
  EXPECT_EQ(
      why_it_wins(row(), kChain, twin),
      "chain wins by 9 cycles because its busiest port waits less: it receives 256 words, one per cycle, and waits "
      "3,065 cycles; the busiest port of twin receives 256 words and waits 3,074 cycles");
  const Contender equal{.name = "equal", .load = kChain.load, .time = kChain.time};
  EXPECT_EQ(why_it_wins(row(), kChain, equal), "chain and equal take the same time");
}

}  // namespace
}  // namespace muster
