#include "schedule/contract.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

Contract contract_of(Collective collective, std::int64_t count) {
  return {.collective = collective, .ranks = {10, 11, 12}, .root = 1, .count = count};
}

std::int64_t total(const std::vector<Owed>& owed) {
  std::int64_t sum = 0;
  for (const Owed& o : owed) sum += o.range.count;
  return sum;
}

TEST(Contract, NamesRoundTrip) {
  for (const std::string& name : collective_names()) {
    ASSERT_TRUE(collective_from_name(name).has_value());
    EXPECT_EQ(collective_name(*collective_from_name(name)), name);
  }
  EXPECT_FALSE(collective_from_name("alreduce").has_value());
  EXPECT_EQ(buffer_from_name("scratch"), Buffer::scratch);
  EXPECT_FALSE(buffer_from_name("heap").has_value());
}

TEST(Contract, OnlyTheRootOfAReduceOwes) {
  const Contract reduce = contract_of(Collective::reduce, 7);
  EXPECT_TRUE(owed_after(reduce, 0).empty());
  ASSERT_EQ(owed_after(reduce, 1).size(), 1U);
  EXPECT_EQ(owed_after(reduce, 1)[0].source, kEveryRank);
  EXPECT_EQ(held_before(reduce, 2), (std::vector<Range>{{0, 7}}));
}

TEST(Contract, OnlyTheRootOfABroadcastHolds) {
  const Contract broadcast = contract_of(Collective::broadcast, 7);
  EXPECT_TRUE(held_before(broadcast, 0).empty());
  EXPECT_EQ(held_before(broadcast, 1).size(), 1U);
  EXPECT_EQ(owed_after(broadcast, 0)[0].source, 1);
}

TEST(Contract, BlocksOfUnevenVectorsCoverThem) {
  for (const Collective collective : {Collective::allgather, Collective::reduce_scatter, Collective::scatter}) {
    const Contract contract = contract_of(collective, 8);
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < 3; ++i) sum += total(owed_after(contract, i));
    EXPECT_EQ(sum, collective == Collective::allgather ? 24 : 8);
  }
}

TEST(Contract, AllToAllTransposesBlocks) {
  const Contract contract = contract_of(Collective::all_to_all, 6);
  const std::vector<Owed> owed = owed_after(contract, 2);
  ASSERT_EQ(owed.size(), 3U);
  EXPECT_EQ(owed[1].range, (Range{2, 2}));
  EXPECT_EQ(owed[1].source, 1);
  EXPECT_EQ(owed[1].range.first + owed[1].displacement, 4) << "block 2 of rank 1";
}

TEST(Contract, NeighboursAtTheEdgeHaveFewerSlots) {
  Contract contract{.collective = Collective::neighbours, .ranks = {0, 1, 2, 3, 4, 5}, .count = 4};
  contract.columns = 3;
  contract.neighbours = {{1, 0}, {-1, 0}, {0, 1}};
  EXPECT_EQ(owed_after(contract, 0).size(), 2U);
  EXPECT_EQ(owed_after(contract, 1).size(), 3U);
  const std::vector<Owed> corner = owed_after(contract, 5);
  ASSERT_EQ(corner.size(), 1U);
  EXPECT_EQ(corner[0].source, 4);
  EXPECT_EQ(corner[0].range.first, 4);
  EXPECT_EQ(corner[0].displacement, -4);
}

TEST(Contract, AScanOwesThePrefixThatEndsWithItself) {
  const Contract contract = contract_of(Collective::scan, 7);
  for (std::int32_t i = 0; i < 3; ++i) {
    const std::vector<Owed> owed = owed_after(contract, i);
    ASSERT_EQ(owed.size(), 1U);
    EXPECT_EQ(sources_of(contract, i, owed[0]).size(), static_cast<std::size_t>(i) + 1);
    EXPECT_EQ(sources_of(contract, i, owed[0]).front(), contract.ranks.front());
  }
}

TEST(Contract, GivenBlocksAreHeldAndOwed) {
  Contract contract = contract_of(Collective::gather, 8);
  contract.blocks = {{5, 2}, {0, 3}, {8, 0}};
  EXPECT_EQ(shape_problem(contract), std::nullopt);
  EXPECT_EQ(held_before(contract, 0), (std::vector<Range>{{5, 2}}));
  EXPECT_EQ(total(owed_after(contract, 1)), 5) << "elements 3, 4 and 7 are in no block";
  EXPECT_TRUE(owed_after(contract, 0).empty());
  contract.collective = Collective::reduce_scatter;
  EXPECT_EQ(owed_after(contract, 1)[0].range, (Range{0, 3}));
}

TEST(Contract, ARootInPlaceHoldsItsVectorWhereTheResultWillBe) {
  Contract contract = contract_of(Collective::reduce, 7);
  EXPECT_EQ(held_in(contract, 1), Buffer::input);
  contract.root_in_place = true;
  EXPECT_EQ(shape_problem(contract), std::nullopt);
  EXPECT_EQ(held_in(contract, 1), Buffer::output);
  EXPECT_EQ(held_in(contract, 0), Buffer::input);
  EXPECT_EQ(held_before(contract, 1), (std::vector<Range>{{0, 7}}));
}

TEST(Contract, SaysWhatIsWrongWithBlocksAndRootsInPlace) {
  const auto problem_of = [](Collective collective, const std::vector<Range>& blocks) {
    Contract contract = contract_of(collective, 8);
    contract.blocks = blocks;
    return shape_problem(contract).value_or("");
  };
  const std::vector<Range> even = {{0, 3}, {3, 3}, {6, 2}};
  EXPECT_EQ(problem_of(Collective::all_to_all, even), "has blocks, which all-to-all does not work on; leave them out");
  EXPECT_EQ(problem_of(Collective::gather, {{0, 8}}), "has 1 blocks for 3 ranks; list one for each");
  EXPECT_EQ(problem_of(Collective::gather, {{0, 3}, {6, 3}, {3, 3}}), "has block 1 at [6, 9), outside its 8 elements");
  EXPECT_EQ(problem_of(Collective::gather, {{4, 2}, {0, 3}, {2, 2}}),
            "has element 2 in blocks 1 and 2; an element is in one block");
  Contract contract = contract_of(Collective::broadcast, 8);
  contract.root_in_place = true;
  EXPECT_EQ(shape_problem(contract), "has its root in place, which only a reduce may have, not broadcast");
  contract.collective = Collective::reduce;
  contract.to = contract.from;
  EXPECT_EQ(shape_problem(contract), "has its root in place and all ranks in input; leave out that some are");
}

TEST(Contract, ABarrierMayRepeatTokens) {
  EXPECT_TRUE(owed_after(contract_of(Collective::barrier, 1), 0)[0].at_least_once);
}

}  // namespace
}  // namespace muster
