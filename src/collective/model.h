// The performance model of "Near-Optimal Wafer-Scale Reduce" (HPDC'24), §3, Equation (1):
//
//   T = max(C, E / N + L) + (2 T_R + 1) D
//
// It averages the load over the links and lets nothing overlap with the depth: an estimate, not the simulator.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "collective/line.h"
#include "collective/reduction_tree.h"
#include "machine/machine.h"

namespace muster {

struct ModelTerms {
  std::int64_t depth = 0;       ///< D: longest sequence of processors that need each other's output
  std::int64_t distance = 0;    ///< L: hops that the farthest data travels
  std::int64_t energy = 0;      ///< E: hops of all wavelets together
  std::int64_t contention = 0;  ///< C: wavelets through the busiest port of a processor
  std::int64_t links = 0;       ///< N: links in use
  bool operator==(const ModelTerms&) const = default;
};

/// Equation (1), rounded up to whole cycles.
Cycles model_cycles(const ModelTerms& terms, const Mesh& mesh);

/// What one unit of depth costs: down a ramp, up a ramp, and one cycle to handle the word, 2 T_R + 1.
Cycles depth_cycles(const Mesh& mesh);

/// Hops from the root to the processor that is farthest from it.
std::int64_t farthest_hops(const Mesh& mesh, NodeId root);

/// One processor alone copies its vector: one word per cycle.
Cycles copy_cycles(std::int64_t count);

/// The terms of reducing `count` words along a line by a tree on each side of the root. Linear in the line's length.
ModelTerms reduce_terms(const Line& line, std::int64_t count, const TreeFor& tree_for);

}  // namespace muster
