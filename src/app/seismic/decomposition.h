// How a grid is cut into parts, one per process: in all three dimensions, as evenly as whole cells allow.
#pragma once

#include <vector>

#include "app/seismic/setup.h"

namespace muster::seismic {

/// The parts of a grid, numbered with z fastest.
class Decomposition {
 public:
  /// Chooses the processes along each axis so that the least is sent: the smallest common sides. Throws InputError if
  /// parts would be thinner than a stencil's radius and one.
  Decomposition(const GridOptions& options, int processes);
  /// With these many processes along each axis. Throws InputError as above.
  Decomposition(const GridOptions& options, const PerAxis<int>& counts);

  [[nodiscard]] const PerAxis<int>& counts() const { return counts_; }
  [[nodiscard]] Part part(int process) const;
  /// The process behind a side of another; -1: none.
  [[nodiscard]] int neighbour(int process, Axis axis, bool is_high) const;

 private:
  [[nodiscard]] PerAxis<int> position(int process) const;
  [[nodiscard]] std::int64_t first_cell(Axis axis, int position) const {
    return options_.extent[axis] * position / counts_[axis];
  }

  GridOptions options_;
  PerAxis<int> counts_;
};

}  // namespace muster::seismic
