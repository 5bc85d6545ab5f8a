// What a stencil needs of a PE's memory. A PE keeps a column of cells along z at two times, and computes it in blocks of cells: the
// neighbours' words of a block are all received before they are added up.
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"

namespace muster::stencil {

struct Column {
  std::int64_t cells = 0;           ///< along z
  int radius = 4;                   ///< half of the order
  bool has_velocity = false;        ///< one per cell; otherwise the coefficients contain the one of the medium
  bool has_damping = false;         ///< in layers at some side of the grid
  std::int64_t source_words = 0;    ///< that sources add before the host brings others
  std::int64_t receiver_words = 0;  ///< that are recorded before the host fetches them
  /// Instructions, descriptors, stack. Assumed: the blocks of the published program follow from 3.1 to 12.2 kB.
  Bytes code{6144};
  Bytes code_per_block{0};  ///< where operations are listed block by block
};

/// Words that a cell of a block needs: from each of four directions the r neighbours' and, with several, the PE's own, and a sum.
constexpr std::int64_t words_per_block_cell(int radius) {
  return 4 * (std::int64_t{radius} + (radius > 1 ? 1 : 0)) + 1;
}

/// Numbers per cell that a column has beside the wavefields: velocity, and what damps both of them.
constexpr std::int64_t arrays_of(const Column& column) {
  return (column.has_velocity ? 1 : 0) + (column.has_damping ? 2 : 0);
}

/// With blocks of at most so many cells.
Bytes memory_of(const Column& column, std::int64_t block);

/// The most cells that a block can have, at most those of the column; none: no block fits.
std::optional<std::int64_t> largest_block(const Column& column, Bytes memory);

/// The fewest, at least `least`: the code of more blocks would not fit. There must be such a block.
std::int64_t smallest_block(const Column& column, Bytes memory, std::int64_t least);

/// The most cells along z that fit in blocks of some size; `column.cells` does not matter. None: not even one.
std::optional<std::int64_t> largest_column(Column column, Bytes memory);

/// A column in blocks: the fewest that fit, as equal as possible. The first ones have a cell more if they are not equal.
struct Blocks {
  std::int64_t count = 0;
  std::int64_t cells = 0;  ///< of the first
};

/// None: no block fits.
std::optional<Blocks> choose_blocks(const Column& column, Bytes memory);

}  // namespace muster::stencil
