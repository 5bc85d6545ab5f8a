#include "collective/grid/block_line.h"

#include <gtest/gtest.h>

#include "collective/collective_test_support.h"

namespace muster {
namespace {

TEST(BlockLine, OfARowHasTheBlocksOfItsRanks) {
  const BlockLine row = row_of_blocks(reduce_request(3, 2, 8), 1);
  EXPECT_EQ(row.node(2), 5);
  EXPECT_EQ(row.pieces, (std::vector<Range>{{5, 1}, {6, 1}, {7, 1}})) << "8 words for 6 ranks: 2 2 1 1 1 1";
  EXPECT_EQ(row.words(), 3);
}

TEST(BlockLine, OfAColumnHasTheRunsOfItsRows) {
  const BlockLine column = column_of_runs(reduce_request(3, 2, 8), 1);
  EXPECT_EQ(column.node(1), 4);
  EXPECT_EQ(column.pieces, (std::vector<Range>{{0, 5}, {5, 3}}));
}

TEST(BlockLine, KnowsWhereItsWordsEnd) {
  EXPECT_EQ(row_of_blocks(reduce_request(5, 1, 3), 0).last_filled(), 2);
  EXPECT_EQ(row_of_blocks(reduce_request(5, 1, 9), 0).last_filled(), 4);
}

TEST(FarthestFirst, TakesBothSidesOfTheRoot) {
  EXPECT_EQ(farthest_first(5, 1), (std::vector<std::int32_t>{4, 3, 0, 2}));
  EXPECT_TRUE(farthest_first(1, 0).empty());
}

}  // namespace
}  // namespace muster
