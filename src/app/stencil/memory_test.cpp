#include "app/stencil/memory.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "app/stencil/published.h"

namespace muster::stencil {
namespace {

constexpr Bytes kOfPe{49152};  // wse2.toml

TEST(Blocks, AreThoseOfThePaper) {
  for (const PublishedRun& run : kColumns) {
    const std::optional<Blocks> blocks = choose_blocks({.cells = run.cells}, kOfPe);
    ASSERT_TRUE(blocks.has_value());
    EXPECT_EQ(blocks->cells, run.block) << run.cells;
  }
}

/// What Column::code says about the program's size.
TEST(Blocks, FollowFromProgramsOfThreeToTwelveKilobytes) {
  const auto all_match = [](std::int64_t code) {
    bool is_good = true;
    for (const PublishedRun& run : kColumns) {
      const std::optional<Blocks> blocks = choose_blocks({.cells = run.cells, .code = Bytes(code)}, kOfPe);
      is_good &= blocks && blocks->cells == run.block;
    }
    return is_good;
  };
  EXPECT_FALSE(all_match(3088));
  EXPECT_TRUE(all_match(3089));
  EXPECT_TRUE(all_match(12288));
  EXPECT_FALSE(all_match(12289));
}

TEST(PeMemory, AddsUpToWhatAPersonCounts) {
  const Column column{.cells = 10, .radius = 1, .has_velocity = true, .receiver_words = 5, .code = Bytes(100)};
  EXPECT_EQ(memory_of(column, 3).value(), 4 * (2 * 12 + 10 + 5 * 3 + 5) + 100);
  EXPECT_EQ(largest_block(column, Bytes(4 * 54 + 99)), 2);
  EXPECT_EQ(largest_block(column, Bytes(4 * 43 + 100)), std::nullopt);
}

RC_GTEST_PROP(PeMemory, FitsAndNothingLargerDoes, ()) {
  const Column column{.cells = *rc::gen::inRange(1, 2000),
                      .radius = *rc::gen::inRange(1, 9),
                      .has_velocity = *rc::gen::arbitrary<bool>(),
                      .receiver_words = *rc::gen::inRange(0, 300),
                      .code = Bytes(*rc::gen::inRange(0, 20000)),
                      .code_per_block = Bytes(*rc::gen::element(0, 0, *rc::gen::inRange(1, 2000)))};
  const Bytes memory(*rc::gen::inRange(0, 60000));
  const auto fits_as = [&](const Column& some, std::int64_t block) {
    return memory_of(some, block).value() <= memory.value();
  };
  const auto fits = [&](const Column& some, std::int64_t least) {
    bool is_found = false;
    for (std::int64_t b = least; b <= some.cells && !is_found; ++b) is_found = fits_as(some, b);
    return is_found;
  };
  const std::optional<std::int64_t> block = largest_block(column, memory);
  RC_ASSERT(block.has_value() == fits(column, 1));
  Column longest = column;
  const std::optional<std::int64_t> most = largest_column(column, memory);
  longest.cells = 1;
  RC_ASSERT(most.has_value() == fits(longest, 1));
  if (most) {
    longest.cells = *most;
    RC_ASSERT(fits(longest, 1));
    longest.cells = *most + 1;
    RC_ASSERT(!fits(longest, 1));
  }
  if (!block) return;
  RC_ASSERT(fits_as(column, *block));
  RC_ASSERT(*block == column.cells || !fits(column, *block + 1));
  const std::int64_t smallest = smallest_block(column, memory, 1);
  RC_ASSERT(fits_as(column, smallest));
  RC_ASSERT(smallest == 1 || !fits_as(column, smallest - 1));
  const Blocks blocks = *choose_blocks(column, memory);
  RC_ASSERT(blocks.cells <= *block);
  RC_ASSERT(blocks.count == 1 || (blocks.count - 1) * *block < column.cells);  // no fewer blocks fit
  const std::int64_t longer = column.cells - blocks.count * (blocks.cells - 1);
  RC_ASSERT(longer >= 1 && longer <= blocks.count);  // so many have a cell more than the others
}

}  // namespace
}  // namespace muster::stencil
