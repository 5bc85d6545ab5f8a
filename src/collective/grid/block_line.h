// Rows and columns of a grid whose processors each own a part of the vector: what the collectives on blocks work along.
//
// Ranks count row by row, so the blocks of a row are contiguous, and a collective on blocks can work along the
// rows and then along the columns with the blocks of whole rows (or vice versa).
#pragma once

#include <cstdint>
#include <vector>

#include "collective/algorithm.h"
#include "machine/mesh.h"
#include "schedule/builder.h"

namespace muster {

/// A row or a column of a mesh: index i is node first + i * stride. Piece i of the vector belongs to index i.
struct BlockLine {
  NodeId first = 0;
  NodeId stride = 1;
  std::vector<Range> pieces;
  [[nodiscard]] std::int32_t length() const { return static_cast<std::int32_t>(pieces.size()); }
  [[nodiscard]] NodeId node(std::int32_t index) const { return first + index * stride; }
  [[nodiscard]] const Range& piece(std::int32_t index) const { return pieces[static_cast<std::size_t>(index)]; }
  /// The last index whose piece is not empty: pieces do not grow along a line. 0 if all are empty.
  [[nodiscard]] std::int32_t last_filled() const;
  /// All pieces together.
  [[nodiscard]] std::int64_t words() const { return pieces.back().end() - pieces.front().first; }
};

/// Row y: the piece of each processor is its own block.
BlockLine row_of_blocks(const Request& request, std::int32_t y);

/// Column x: the piece of each processor is the run of its whole row.
BlockLine column_of_runs(const Request& request, std::int32_t x);

/// All indices except `root`, the farthest from it first; of two at the same distance, the lower one first.
std::vector<std::int32_t> farthest_first(std::int32_t length, std::int32_t root);

/// Nothing, or the reason why an algorithm for meshes does not support the request.
std::optional<std::string> unless_mesh(const Request& request);

/// The same for an algorithm that sends, on a line of n PEs, messages(n) messages from PE to PE: more than two million, on
/// all rows and columns together, are refused.
std::optional<std::string> unless_relayed(const Request& request, std::int64_t (*messages)(std::int64_t length));

}  // namespace muster
