// Tree: in every round, every second PE that is still active sends its sum to the active PE before it.
//
// Steps: PE x sends to x - 2^j, where 2^j is the largest power of two that divides x; so it takes the sums of x + 1, x
// + 2, x + 4, ... as far as they exist and are below the next multiple. This needs no power of two. Busiest link: the
// root's, B log2 P wavelets, as does its port. Depth log2 P: good for short vectors. Source: Near-Optimal Wafer-Scale
// Reduce (HPDC'24), §5.3. The cost is Equation (1) on the terms of the tree at hand, which is Lemma 5.3 when P is a
// power of two and the root is at the end.
#include "collective/algorithms.h"

namespace muster {

namespace {

ReductionTree binomial(std::int32_t size) {
  return ReductionTree::from(size, [](std::int32_t x) {
    const auto bits = static_cast<std::uint32_t>(x);
    return static_cast<std::int32_t>(bits & (bits - 1));  // without its lowest bit
  });
}

LineTrees trees(const Request& request, const Parameters&) {
  return shorter_side_first(line_of(request).value(), binomial);
}

Cycles cost(const Request& request, const Parameters&) { return reduce_cycles(request, binomial); }

}  // namespace

LineReduce reduce_tree() {
  return {.name = "tree",
          .summary = "in every round, every second active PE sends its sum to the one before it",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.3",
          .parameters = {},
          .cost_tolerance = {.fraction = 0.3},
          .trees = trees,
          .cost = cost};
}

}  // namespace muster
