// Chain: every PE adds its vector to what its outer neighbour sends and passes the sum on, word by word.
//
// Steps: the PE at the far end sends its vector; each PE on the way takes, adds and forwards in one step; the root
// keeps it. Busiest link: every link carries B wavelets, every port takes B: no algorithm has less. Depth P - 1: best
// for long vectors. Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.2, Lemma 5.2: B + (2 T_R + 2)(P - 1), which
// is Equation (1).
#include "collective/algorithms.h"
#include "collective/line.h"
#include "collective/model.h"
#include "collective/reduction_tree.h"

namespace muster {

namespace {

ReductionTree chain(std::int32_t places) {
  return ReductionTree::from(places, [](std::int32_t x) { return x - 1; });
}

Schedule make(const Request& request, const Parameters&) {
  return reduce_along_line(line_of(request).value(), request.count, chain);
}

Cycles cost(const Request& request, const Parameters&) { return reduce_cycles(request, chain); }

}  // namespace

Algorithm reduce_chain() {
  return {.collective = Collective::reduce,
          .name = "chain",
          .family = "mesh",
          .summary = "every PE adds its vector to what its neighbour sends and passes it on",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.2",
          .parameters = {},
          .unsupported = unless_line,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.cycles = Cycles(1)}};
}

}  // namespace muster
