// The paper's bound for Reduce on an M x N grid: Near-Optimal Wafer-Scale Reduce (HPDC'24), Lemma 7.2,
//
//   T*(M, N) >= max(B, B / 8 + M + N - 1) + 2 T_R + 1.
//
// Its distance M + N - 1 is one more than the hops between opposite corners; for a root elsewhere we put the hops of the
// farthest PE, and one, instead. In the pipeline "distance plus port" is larger for all but the shortest vectors, since
// there the port's B and the distance add up; for those, the 2 cycles that the model has more are not spent.
#include <algorithm>

#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "collective/grid/model.h"
#include "machine/mesh.h"

namespace muster {

std::optional<Bound> bound_paper_grid(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  if (request.collective != Collective::reduce || mesh.width == 1 || mesh.height == 1) return std::nullopt;
  const std::int64_t eighth = request.count / 8 + (request.count % 8 == 0 ? 0 : 1);
  const std::int64_t distance = saturating_product(mesh.hop_latency.value(), farthest_hops(mesh, request.root) + 1);
  const std::int64_t network = std::max(request.count, saturating_sum(eighth, distance));
  return Bound{.name = "paper 2d (Lemma 7.2)",
               .proves = "any reduce on a grid, in the paper's model; the simulated pipeline can be faster",
               .cycles = Cycles(saturating_sum(network, depth_cycles(mesh).value())),
               .for_pipeline = false};
}

}  // namespace muster
