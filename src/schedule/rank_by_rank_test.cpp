#include "schedule/rank_by_rank.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

/// Six ranks, a multiple of which the count is.
Contract contract_of(Collective collective) {
  return {.collective = collective,
          .ranks = {0, 1, 2, 3, 4, 5},
          .root = 2,
          .count = 12,
          .neighbours = {{.dx = 1}, {.dy = 1}},
          .columns = 3,
          .margin = collective == Collective::stencil ? 2 : 0};
}

TEST(RankByRank, IsWhatTheContractSaysOfEachRank) {
  for (int number = 0; number < kCollectives; ++number) {
    const Contract contract = contract_of(static_cast<Collective>(number));
    OwedRankByRank owed_by(contract);
    HeldRankByRank held_by(contract);
    for (std::int32_t rank = 0; rank < 6; ++rank) {
      const auto name = collective_name(contract.collective);
      const std::vector<Owed> owed = owed_after(contract, rank);
      const auto found = owed_by.of(rank);
      ASSERT_EQ(found.size(), owed.size()) << name << rank;
      for (std::size_t i = 0; i < owed.size(); ++i) {
        EXPECT_EQ(found[i].range, owed[i].range) << name << rank;
        EXPECT_EQ(found[i].source, owed[i].source) << name << rank;
        EXPECT_EQ(found[i].displacement, owed[i].displacement) << name << rank;
        EXPECT_EQ(found[i].at_least_once, owed[i].at_least_once) << name << rank;
      }
      const auto held = held_by.of(rank);
      EXPECT_EQ(std::vector(held.begin(), held.end()), held_before(contract, rank)) << name << rank;
    }
  }
}

}  // namespace
}  // namespace muster
