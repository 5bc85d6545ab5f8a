// The performance model of "Near-Optimal Wafer-Scale Reduce" (HPDC'24), §3, Equation (1):
//
//   T = max(C, E / N + L) + (2 T_R + 1) D
//
// It averages the load over the links and assumes no overlap with the depth: an estimate, not the simulator. It holds
// for routers that pass a word per cycle and operations without a start-up; for others there is timed_walk.h.
//
// Ours, not in the paper: L counts cycles, hops times hop latency (the paper's hop takes 1 cycle); a root inside its
// line (reduce_cycles). Numbers too large to count stay at the largest one.
#pragma once

#include <cstdint>
#include <functional>

#include "base/units.h"
#include "collective/grid/line.h"
#include "collective/grid/reduction_tree.h"
#include "machine/machine.h"
#include "machine/mesh.h"

namespace muster {

struct ModelTerms {
  std::int64_t depth = 0;       ///< D: longest chain of dependent processors
  std::int64_t distance = 0;    ///< L: hops that the farthest data travels
  std::int64_t energy = 0;      ///< E: hops of all wavelets together
  std::int64_t contention = 0;  ///< C: wavelets through the busiest port of a processor
  std::int64_t links = 0;       ///< N: links in use
  bool operator==(const ModelTerms&) const = default;
};

/// Equation (1), rounded up to whole cycles.
Cycles model_cycles(const ModelTerms& terms, const Mesh& mesh);

/// The cost of one unit of depth: down a ramp, up a ramp, and one cycle to handle the word, 2 T_R + 1.
Cycles depth_cycles(const Mesh& mesh);

/// Hops from the root to the processor that is farthest from it.
std::int64_t farthest_hops(const Mesh& mesh, NodeId root);

/// One processor alone copies its vector: one word per cycle.
Cycles copy_cycles(std::int64_t count);

/// The terms of reducing `count` words along a tree whose root is at the end of the line. Linear in its size.
ModelTerms tree_terms(const ReductionTree& tree, std::int64_t count);

/// The time of one side alone: `count` words along a tree of at least two PEs, its root at the end.
using SideCycles = std::function<Cycles(const ReductionTree& tree, std::int64_t count, const Mesh& mesh)>;

/// Equation (1) on the terms of the tree.
Cycles side_cycles(const ReductionTree& tree, std::int64_t count, const Mesh& mesh);

/// The time of reduce_along_line() on the request's line. With the root at an end it is `of_side`, the paper's formula.
/// A root inside takes the shorter side first, through the same port: the longer side ends as if it were alone, or its
/// c streams into the root follow the first side without a gap, whichever is later: max(T_2, T_1 + c B).
Cycles reduce_cycles(const Request& request, const TreeFor& tree_for, const SideCycles& of_side = side_cycles);

}  // namespace muster
