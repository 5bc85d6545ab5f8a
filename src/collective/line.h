// A row or a column of a mesh as a line of positions, with the root somewhere on it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "collective/algorithm.h"

namespace muster {

/// One side of a line: the root, and everything on one hand of it. Place 0 is the root, place k is k hops away from it.
struct Side {
  NodeId root = 0;
  NodeId direction = 1;     ///< +1 or -1: towards larger or smaller positions
  std::int32_t length = 1;  ///< places, the root included
  [[nodiscard]] NodeId node(std::int32_t place) const { return root + direction * place; }
};

/// `length` neighbouring processors; the processor at position i is node i.
struct Line {
  std::int32_t length = 1;
  std::int32_t root = 0;
  /// Both sides, the shorter one first: the root takes them in this order. A side of length 1 is the root alone.
  [[nodiscard]] std::array<Side, 2> sides() const;
  /// Whether the root has neighbours on both hands.
  [[nodiscard]] bool root_inside() const { return root > 0 && root < length - 1; }
};

/// The line that the request's mesh is, or nothing if it is no mesh of one row or one column.
std::optional<Line> line_of(const Request& request);

/// The reason why an algorithm for lines does not support the request, if it does not.
std::optional<std::string> unless_line(const Request& request);

}  // namespace muster
