#include "collective/torus/tile_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "collective/torus/torus_test_machines.h"

namespace muster {
namespace {

Request of_words(std::int64_t count, std::int64_t per_word = 1) {
  Request request{.machine = test_wormhole(8), .collective = Collective::allreduce, .count = count};
  request.user_count = {.count = count * per_word, .block_unit = per_word, .unit = "elements"};
  return request;
}

TEST(TileBlocks, HaveTilesOfTheElementType) {
  EXPECT_EQ(tile_words(of_words(1)), 1024);
  EXPECT_EQ(tile_words(of_words(1, 2)), 512) << "two elements in a word";
  EXPECT_EQ(tile_words({.machine = test_wormhole(8), .count = 1}), 1024) << "nothing said";
  EXPECT_EQ(tiles_of(of_words(1024)), 1);
  EXPECT_EQ(tiles_of(of_words(1025)), 2);
}

TEST(TileBlocks, SpreadLargerBlocksEvenly) {
  const TileBlocks cut(of_words(4 * 1024), {0, 4}, {.blocks = 8});
  for (std::int64_t b = 0; b < 8; ++b) EXPECT_EQ(cut.cell(0, b).count, b % 2 == 1 ? 1024 : 0) << b;
  const TileBlocks other(of_words(4 * 1024), {0, 4}, {.blocks = 8, .phase = 4});
  for (std::int64_t b = 0; b < 8; ++b) EXPECT_EQ(other.cell(0, b).count, b % 2 == 0 ? 1024 : 0) << b;
}

RC_GTEST_PROP(TileBlocks, CoverTheVectorOnceAndAreCutBetweenTiles, ()) {
  const Request request = of_words(*rc::gen::inRange<std::int64_t>(1, 200'000), *rc::gen::element(1, 2));
  const std::int64_t blocks = *rc::gen::inRange<std::int64_t>(1, 70), chunks = *rc::gen::inRange<std::int64_t>(1, 33);
  const TileBlocks cut(request, {0, tiles_of(request)},
                       {.blocks = blocks, .chunks = chunks, .phase = *rc::gen::inRange<std::int64_t>(0, blocks)});
  std::int64_t next = 0;
  std::vector<std::int64_t> of_block(static_cast<std::size_t>(blocks));
  for (std::int64_t c = 0; c < chunks; ++c) {
    RC_ASSERT(cut.chunk(c).first == next);
    for (std::int64_t b = 0; b < blocks; ++b) {
      RC_ASSERT(cut.cell(c, b).first == next);
      RC_ASSERT(next % tile_words(request) == 0 || next == request.count);
      next = cut.cell(c, b).end();
      of_block[static_cast<std::size_t>(b)] += cut.cell(c, b).count;
    }
    RC_ASSERT(cut.chunk(c).end() == next);
  }
  RC_ASSERT(next == request.count);
  const auto [least, most] = std::minmax_element(of_block.begin(), of_block.end());
  RC_ASSERT(*most - *least <= 2 * tile_words(request));  // a tile more or less, and the last one is short
}

}  // namespace
}  // namespace muster
