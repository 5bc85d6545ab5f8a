#include "plan/explain.h"

#include <gtest/gtest.h>

#include "plan/testing.h"

namespace muster {
namespace {

const Contender kChain{.name = "chain", .load = {.depth = 511, .hops = 130'816, .port = 256}, .time = Cycles(3321)};
const Contender kTwoPhase{
    .name = "two-phase", .load = {.depth = 44, .hops = 255'000, .port = 512}, .time = Cycles(1200)};
const Contender kStar{
    .name = "star", .load = {.depth = 1, .hops = 33'488'896, .port = 130'816}, .time = Cycles(130'821)};

Machine row() { return with_grid(shipped_machine("wse2"), 512, 1); }

TEST(Why, NamesTheDepthWhereItDecides) {
  EXPECT_EQ(why_it_wins(row(), kTwoPhase, kChain),
            "two-phase wins because it needs depth 44 instead of chain's 511, which outweighs that its busiest port "
            "takes 512 words instead of 256");
}

TEST(Why, NamesThePortWhereItDecides) {
  EXPECT_EQ(why_it_wins(row(), kTwoPhase, kStar),
            "two-phase wins because it has only 512 words through its busiest port instead of star's 130,816, which "
            "outweighs its depth of 44 instead of 1");
}

TEST(Why, DoesNotInventAReason) {
  const Contender twin{.name = "twin", .load = kChain.load, .time = Cycles(3330)};
  EXPECT_EQ(why_it_wins(row(), kChain, twin),
            "chain ends 9 cycles before twin, although depth (511 and 511) and busiest port (256 and 256 words) do not "
            "say so");
  const Contender equal{.name = "equal", .load = kChain.load, .time = kChain.time};
  EXPECT_EQ(why_it_wins(row(), kChain, equal), "chain and equal take the same time");
}

}  // namespace
}  // namespace muster
