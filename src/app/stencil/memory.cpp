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
  return Bytes(kWord * (wavefields + arrays + buffers + traces) + column.code.value());
}

std::optional<std::int64_t> largest_block(const Column& column, Bytes memory) {
  const std::int64_t left = memory.value() - memory_of(column, 0).value();
  const std::int64_t of_a_cell = kWord * words_per_block_cell(column.radius);
  if (left < of_a_cell) return std::nullopt;
  return std::min(column.cells, left / of_a_cell);
}

std::optional<std::int64_t> largest_column(Column column, Bytes memory) {
  column.cells = 0;
  const std::int64_t left = memory.value() - memory_of(column, 1).value();
  const std::int64_t of_a_cell = kWord * (2 + arrays_of(column));
  if (left < of_a_cell) return std::nullopt;
  return left / of_a_cell;
}

std::optional<Blocks> choose_blocks(const Column& column, Bytes memory) {
  const std::optional<std::int64_t> largest = largest_block(column, memory);
  if (!largest) return std::nullopt;
  const std::int64_t count = ceil_of(column.cells, *largest);
  return Blocks{.count = count, .cells = ceil_of(column.cells, count)};
}

}  // namespace muster::stencil
