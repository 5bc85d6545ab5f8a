// Auto-Gen's trees (paper §5.5) by a closed form.
//
// The paper's recursion E(P, D, C) = min over i of E(i, D, C - 1) + E(P - i, D - 1, C) + i, with E(1, ., .) = 0, is the least
// energy, in hops per word, of a tree of P PEs, depth at most D and contention at most C. It is a min-plus
// convolution of convex functions, so the slopes of its parts merge: among the P - 1 unit steps of E(., D, C), slope s occurs
// binom(D + s - 1, s) times for s = 1, ..., C. So E is the sum of the P - 1 smallest slopes, and does not depend on C once
// there are enough of them, binom(D + C, C) >= P; below that no tree exists.
#pragma once

#include <cstdint>
#include <optional>

#include "collective/grid/best_tree.h"
#include "collective/grid/reduction_tree.h"
#include "machine/mesh.h"

namespace muster {

struct LeastEnergy {
  std::int64_t hops = 0;        ///< of one word from every PE: the paper's E for B = 1
  std::int64_t contention = 0;  ///< the least C for which the paper's recursion has such a tree
  bool operator==(const LeastEnergy&) const = default;
};

/// The least energy of trees of at most that depth, which is at least 1.
LeastEnergy least_energy(std::int32_t size, std::int32_t depth);

/// Of all trees of that least energy and depth, the fastest as best_tree.h times trees. With `most_children`, no PE
/// has more children than that; nothing if there is no such tree.
struct TimedTree {
  ReductionTree tree;
  std::int64_t start = 0;  ///< when the root begins to take its last child
};
std::optional<TimedTree> fastest_of_least_energy(std::int32_t size, std::int32_t depth, const LineTiming& timing,
                                                 std::int32_t most_children = 0);

/// The paper's predicted time, Equation (1), of the best depth, for at least two PEs.
Cycles auto_gen_cycles(std::int32_t size, std::int64_t count, const Mesh& mesh);

/// The tree of that time; where several depths or trees have it, the fastest one.
ReductionTree auto_gen_tree(std::int32_t size, const LineTiming& timing, const Mesh& mesh);

}  // namespace muster
