#include "app/stencil/memory.h"

#include <algorithm>

namespace muster::stencil {
namespace {

constexpr std::int64_t kWord = 4;

std::int64_t ceil_of(std::int64_t number, std::int64_t divisor) { return (number + divisor - 1) / divisor; }

}  // namespace

Bytes memory_of(const Column& column, std::int64_t block) {
  const std::int64_t wavefields = 2 * (column.cells + 2 * std::int64_t{column.radius});
  const std::int64_t arrays = arrays_of(column) * column.cells;
  const std::int64_t buffers = words_per_block_cell(column.radius) * block;
  const std::int64_t traces = column.source_words + column.receiver_words;
  const std::int64_t blocks = block > 0 ? ceil_of(column.cells, block) : 0;
  return Bytes(kWord * (wavefields + arrays + buffers + traces) + column.code.value() +
               column.code_per_block.value() * blocks);
}

std::optional<std::int64_t> largest_block(const Column& column, Bytes memory) {
  const std::int64_t left = memory.value() - memory_of(column, 0).value();
  const std::int64_t of_a_cell = kWord * words_per_block_cell(column.radius);
  for (std::int64_t blocks = 1;
       ;) {  // what is left beside the code of so many; the first that they cover is the largest
    const std::int64_t left_of_them = left - column.code_per_block.value() * blocks;
    if (left_of_them < of_a_cell) return std::nullopt;
    const std::int64_t block = std::min(column.cells, left_of_them / of_a_cell);
    if (ceil_of(column.cells, block) <= blocks) return block;
    blocks = column.code_per_block.value() > 0 ? blocks + 1 : ceil_of(column.cells, block);
  }
}

std::int64_t smallest_block(const Column& column, Bytes memory, std::int64_t least) {
  std::int64_t block = least;
  while (memory_of(column, block) > memory) ++block;
  return block;
}

std::optional<std::int64_t> largest_column(Column column, Bytes memory) {
  const auto fits = [&](std::int64_t cells) {
    column.cells = cells;
    return largest_block(column, memory).has_value();
  };
  std::int64_t most = 0, too_many = memory.value() / kWord + 1;
  while (too_many - most > 1) {
    const std::int64_t middle = most + (too_many - most) / 2;
    (fits(middle) ? most : too_many) = middle;
  }
  return most > 0 ? std::optional(most) : std::nullopt;
}

std::optional<Blocks> choose_blocks(const Column& column, Bytes memory) {
  const std::optional<std::int64_t> largest = largest_block(column, memory);
  if (!largest) return std::nullopt;
  const std::int64_t count = ceil_of(column.cells, *largest);
  return Blocks{.count = count, .cells = ceil_of(column.cells, count)};
}

}  // namespace muster::stencil
