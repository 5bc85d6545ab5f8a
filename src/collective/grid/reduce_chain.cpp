// Chain: every PE adds its vector to what its outer neighbour sends and passes the sum on, word by word.
//
// Steps: the PE at the far end sends its vector; each PE on the way takes, adds and forwards in one step; the root
// keeps it. Busiest link: every link carries B wavelets, every port takes B: no algorithm has less. Depth P - 1: best
// for long vectors. Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.2, Lemma 5.2: B + (2 T_R + 2)(P - 1), which
// is Equation (1).
#include "collective/algorithms.h"

namespace muster {

namespace {

ReductionTree chain(std::int32_t size) {
  return ReductionTree::from(size, [](std::int32_t x) { return x - 1; });
}

LineTrees trees(const Request& request, const Parameters&) {
  return shorter_side_first(line_of(request).value(), chain);
}

Cycles cost(const Request& request, const Parameters&) { return reduce_cycles(request, chain); }

}  // namespace

LineReduce reduce_chain() {
  return {.name = "chain",
          .summary = "every PE adds its vector to what its neighbour sends and forwards the sum",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.2",
          .parameters = {},
          .cost_tolerance = {.cycles = Cycles(1)},
          .trees = trees,
          .cost = cost,
          // Neighbours alone take 5 colors, however many parts. Twice as many would save B / 16 words at the busiest
          // port, and need twice as many steps.
          .split_parts = 16,
          .is_chain = true};
}

}  // namespace muster
