// Star: every PE sends its vector straight to the root.
//
// Steps: PE x sends its vector over x hops; the root adds one vector after the other, the nearest first.
// Busiest link: the root's, B (P - 1) wavelets on a row with the root at its end; the root's port takes the same.
// Depth 1: best for a scalar, useless for long vectors.
// Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.1. The cost is the refined one behind Lemma 5.1: the vectors
// queue up behind each other without a gap, so the root's port is the only limit, wherever the root is. (Its last 1 is
// a hop.)
#include "collective/algorithms.h"
#include "collective/line.h"
#include "collective/model.h"
#include "collective/reduction_tree.h"

namespace muster {

namespace {

ReductionTree star(std::int32_t places) {
  return ReductionTree::from(places, [](std::int32_t) { return 0; });
}

Schedule make(const Request& request, const Parameters&) {
  return reduce_along_line(line_of(request).value(), request.count, star);
}

Cycles cost(const Request& request, const Parameters&) {
  const std::int64_t processors = line_of(request).value().length;
  if (processors == 1) return copy_cycles(request.count);
  const Mesh& mesh = *request.machine.mesh();
  return Cycles(request.count * (processors - 1)) + mesh.ramp_latency * 2 + mesh.hop_latency;
}

}  // namespace

Algorithm reduce_star() {
  return {.collective = Collective::reduce,
          .name = "star",
          .family = "mesh",
          .summary = "every PE sends its vector straight to the root",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §5.1",
          .parameters = {},
          .unsupported = unless_line,
          .make = make,
          .cost = cost};
}

}  // namespace muster
