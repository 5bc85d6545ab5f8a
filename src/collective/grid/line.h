// Rows and columns of a mesh as lines of positions, with the root somewhere on them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "collective/algorithm.h"
#include "machine/mesh.h"

namespace muster {

/// One side of a line: the root, and everything on one side of it, but perhaps one PE. Index 0 is the root, index k is k hops away from it,
/// one more behind the PE that is left out.
struct Side {
  NodeId root = 0;
  NodeId stride = 1;           ///< from a node to the next one away from the root; may be negative
  std::int32_t length = 1;     ///< PEs, including the root
  std::int32_t left_out = -1;  ///< the PE that would have this index; negative: none
  [[nodiscard]] NodeId node(std::int32_t index) const {
    return root + stride * (left_out >= 0 && index >= left_out ? index + 1 : index);
  }
};

/// `length` neighbouring processors; the processor at position i is node first + i * stride.
struct Line {
  std::int32_t length = 1;
  std::int32_t root = 0;  ///< a position
  NodeId first = 0;
  NodeId stride = 1;
  [[nodiscard]] NodeId node(std::int32_t position) const { return first + stride * position; }
  /// Both sides, the shorter one first. A side of length 1 is the root alone.
  [[nodiscard]] std::array<Side, 2> sides() const;
  /// Whether the root has neighbours on both sides.
  [[nodiscard]] bool root_inside() const { return root > 0 && root < length - 1; }
};

/// The line that the request's mesh is, or nothing if it is not a mesh of one row or one column.
std::optional<Line> line_of(const Request& request);

/// The reason why an algorithm for lines does not support the request, if it does not.
std::optional<std::string> unless_line(const Request& request);

/// The reason why an algorithm for grids of several rows and columns does not support the request, if it does not.
/// On a line it would be the same as another that has a name of its own.
std::optional<std::string> unless_grid(const Request& request);

/// The request for one row, or one column, of a mesh: the machine cut to it, the root at the request's root.
Request row_request(const Request& request);
Request column_request(const Request& request);

/// Row y of a mesh with the root in column `root`; column x with the root in row `root`.
Line row_of(const Mesh& mesh, std::int32_t y, std::int32_t root);
Line column_of(const Mesh& mesh, std::int32_t x, std::int32_t root);

}  // namespace muster
