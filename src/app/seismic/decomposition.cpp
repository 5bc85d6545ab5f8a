#include "app/seismic/decomposition.h"

#include <algorithm>

#include "base/error.h"

namespace muster::seismic {
namespace {

/// Cells on the sides that parts have in common.
std::int64_t common_cells(const GridOptions& options, const PerAxis<int>& counts) {
  const Extent& extent = options.extent;
  const auto cuts = [&](Axis axis) {
    const bool wraps = options.sides[axis].low == Boundary::periodic && counts[axis] > 1;
    return static_cast<std::int64_t>(counts[axis]) - (wraps ? 0 : 1);
  };
  return cuts(Axis::x) * extent.y * extent.z + cuts(Axis::y) * extent.x * extent.z +
         cuts(Axis::z) * extent.x * extent.y;
}

bool fits(const GridOptions& options, const PerAxis<int>& counts) {
  return std::ranges::all_of(
      kAxes, [&](Axis axis) { return counts[axis] == 1 || options.extent[axis] / counts[axis] > options.order / 2; });
}

[[noreturn]] void reject_thin(const GridOptions& options, int processes) {
  reject(
      "{} processes cannot share {}x{}x{} cells: parts would be thinner than {} cells, which a stencil of order {} "
      "needs; use fewer processes",
      processes, options.extent.x, options.extent.y, options.extent.z, options.order / 2 + 1, options.order);
}

}  // namespace

Decomposition::Decomposition(const GridOptions& options, int processes) : options_(options) {
  std::int64_t least = -1;
  // Of equal ones, that with the most cuts along x, then y: rows along z stay long, and planes of x lie together in memory.
  for (int x = processes; x >= 1; --x) {
    for (int y = processes / x; y >= 1; --y) {
      const PerAxis<int> counts{x, y, processes / (x * y)};
      if (x * y * counts.z != processes || !fits(options, counts)) continue;
      const std::int64_t cells = common_cells(options, counts);
      if (least >= 0 && cells >= least) continue;
      least = cells;
      counts_ = counts;
    }
  }
  if (least < 0) reject_thin(options, processes);
}

Decomposition::Decomposition(const GridOptions& options, const PerAxis<int>& counts)
    : options_(options), counts_(counts) {
  if (!fits(options, counts)) reject_thin(options, counts.x * counts.y * counts.z);
}

PerAxis<int> Decomposition::position(int process) const {
  return {process / (counts_.y * counts_.z), process / counts_.z % counts_.y, process % counts_.z};
}

Part Decomposition::part(int process) const {
  const PerAxis<int> at = position(process);
  Part part = whole_of(options_);
  for (const Axis axis : kAxes) {
    if (counts_[axis] == 1) continue;
    part.cells.first[axis] = first_cell(axis, at[axis]);
    part.cells.last[axis] = first_cell(axis, at[axis] + 1);
    if (neighbour(process, axis, false) >= 0) part.sides[axis].low = Boundary::neighbour;
    if (neighbour(process, axis, true) >= 0) part.sides[axis].high = Boundary::neighbour;
    for (int i = 1; i < counts_[axis]; ++i) part.cuts[axis].push_back(first_cell(axis, i));
  }
  return part;
}

int Decomposition::neighbour(int process, Axis axis, bool is_high) const {
  if (counts_[axis] == 1) return -1;
  PerAxis<int> at = position(process);
  at[axis] += is_high ? 1 : -1;
  if (at[axis] < 0 || at[axis] >= counts_[axis]) {
    if (options_.sides[axis].low != Boundary::periodic) return -1;
    at[axis] = (at[axis] + counts_[axis]) % counts_[axis];
  }
  return (at.x * counts_.y + at.y) * counts_.z + at.z;
}

}  // namespace muster::seismic
