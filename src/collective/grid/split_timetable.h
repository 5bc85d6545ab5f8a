// A timetable of the rows and columns of a split reduce, from which every PE gets the order of its steps. Times are estimates, in
// cycles; only the order matters, and it excludes deadlock, since all PEs use the same timeline.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "collective/grid/reduction_tree.h"
#include "machine/machine.h"
#include "machine/mesh.h"

namespace muster {

/// A grid seen from the root. Part j of the vector has its target in the j-th column from the root's, counted in the
/// direction with more columns: its *far* side. The other side is the near side.
struct SplitGrid {
  std::int32_t width = 1;
  std::int32_t height = 1;
  std::int32_t root_x = 0;
  std::int32_t root_y = 0;
  std::int32_t direction = 1;  ///< of the far side
  std::int32_t parts = 1;
  [[nodiscard]] NodeId node(std::int32_t x, std::int32_t y) const { return y * width + x; }
  [[nodiscard]] std::int32_t target(std::int32_t part) const { return root_x + direction * part; }
  /// PEs from the target of a part to the far edge, including the target.
  [[nodiscard]] std::int32_t far_length(std::int32_t part) const {
    return direction > 0 ? width - target(part) : target(part) + 1;
  }
  /// PEs from the target of a part to the near edge in row y, including the target, but the root only if it is the target: it
  /// keeps its own vector, and adds it when it takes the finished parts.
  [[nodiscard]] std::int32_t near_length(std::int32_t part, std::int32_t y) const {
    return width + 1 - far_length(part) - (part > 0 && y == root_y ? 1 : 0);
  }
  /// The first target that a near flow passes, or ends at.
  [[nodiscard]] std::int32_t first_near_target(std::int32_t part, std::int32_t y) const {
    return part > 0 && y == root_y ? 1 : 0;
  }
  [[nodiscard]] bool above_is_longer() const { return root_y > height - 1 - root_y; }
};

/// One piece of work of a row: a flow of a part along it, or what the part's target does for its column.
struct SplitJob {
  enum class Kind : std::uint8_t {
    far,   ///< the far side reduces the part towards its target
    near,  ///< the near side does
    column,  ///< what the target does in its column, on the shorter (0) or longer (1) `side` of the root's row; at the end of
             ///< the longer one, the root's row sends the part on to the root
  };
  Kind kind = Kind::far;
  std::int32_t part = 0;
  std::int32_t side = 0;
  std::int64_t time = 0;  ///< on the timeline that all rows share: see split_timetable.cpp
};

struct SplitTimetable {
  std::vector<std::vector<SplitJob>> rows;  ///< of each row: its jobs in order
  std::int64_t end = 0;                     ///< when the last job ends, in cycles
  std::int32_t descent = 0;                 ///< most parts of which each comes to the root after a farther one
};

/// What all rows and columns do: the tree of part 0 on its far side, and those of the shorter and the longer side of a column.
struct SplitTrees {
  const ReductionTree* far = nullptr;
  std::array<const ReductionTree*, 2> columns{};
  bool waves =
      true;  ///< columns are chains, and rows start as their waves reach them; otherwise all rows start together
};

/// `words` is the length of the longest part.
SplitTimetable split_timetable(const SplitGrid& grid, const SplitTrees& trees, std::int64_t words, const Mesh& mesh);

}  // namespace muster
