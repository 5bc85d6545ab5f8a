// Star: every PE sends its vector directly to the root.
//
// Steps: PE x sends its vector over x hops; the root adds one vector after the other, the nearest first.
// Busiest link: the root's, B (P - 1) wavelets on a row with the root at its end; the root's port takes the same.
// Depth 1: best for a scalar, useless for long vectors.
// Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.1. The cost is the refined one behind Lemma 5.1: the vectors
// queue up one after another without a gap, so the root's port is the only limit, wherever the root is: B (P - 1) + 2
// T_R + 1. (Its last 1 is a hop; where a hop takes more cycles than the vector has words, the farthest PE's way can be the limit.)
#include <algorithm>

#include "base/saturating.h"
#include "collective/algorithms.h"
#include "machine/mesh.h"

namespace muster {

namespace {

ReductionTree star(std::int32_t size) {
  return ReductionTree::from(size, [](std::int32_t) { return 0; });
}

/// The first word of PE x is at the root after x hops of h cycles and two ramps, and x's vector follows that of x - 1
/// at the earliest: max over x of h x + B (P - x), which is largest for the nearest or for the farthest PE.
Cycles one_after_the_other(const ReductionTree& tree, std::int64_t count, const Mesh& mesh) {
  const std::int64_t others = tree.size() - 1;
  const std::int64_t hop = mesh.hop_latency.value();
  const std::int64_t queue = saturating_sum(saturating_product(count, others), hop);
  const std::int64_t farthest = saturating_sum(count, saturating_product(hop, others));
  return Cycles(saturating_sum(std::max(queue, farthest), 2 * mesh.ramp_latency.value()));
}

LineTrees trees(const Request& request, const Parameters&) {
  return shorter_side_first(line_of(request).value(), star);
}

Cycles cost(const Request& request, const Parameters&) { return reduce_cycles(request, star, one_after_the_other); }

}  // namespace

LineReduce reduce_star() {
  return {.name = "star",
          .summary = "every PE sends its vector directly to the root",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.1",
          .parameters = {},
          .cost_tolerance = {.cycles = Cycles(1)},
          .trees = trees,
          .cost = cost};
}

}  // namespace muster
