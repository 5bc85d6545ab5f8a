// Lower bounds on a mesh. Ports, ramps and hops alone: they hold for every schedule, whatever its order of additions.
#include "collective/bound.h"

#include "base/saturating.h"
#include "collective/model.h"
#include "machine/routing.h"

namespace muster {

namespace {

/// B words must leave or enter the processor that is farthest from the root through a port that passes one word per
/// cycle, so the last of them starts at cycle B - 1 or later; it passes two ramps and all hops, and one more cycle
/// handles it.
Bound distance_plus_port(const Request& request, const Mesh& mesh) {
  const bool reduce = request.collective == Collective::reduce;
  const std::int64_t hops = saturating_product(mesh.hop_latency.value(), farthest_hops(mesh, request.root));
  const std::int64_t way = saturating_sum(hops, 2 * mesh.ramp_latency.value());
  return {.name = "distance plus port",
          .proves = reduce ? "every reduce that moves whole words: B words leave the farthest PE at one per cycle and "
                             "travel all the way to the root"
                           : "every broadcast: B words leave the root at one per cycle and travel all the way to the "
                             "farthest PE",
          .cycles = Cycles(saturating_sum(request.count, way))};
}

Bound copy(const Request& request) {
  return {.name = "copy",
          .proves = "a single PE that stores B words at one per cycle",
          .cycles = copy_cycles(request.count)};
}

}  // namespace

std::vector<Bound> lower_bounds(const Request& request) {
  const Mesh* mesh = request.machine.mesh();
  const bool rooted = request.collective == Collective::reduce || request.collective == Collective::broadcast;
  if (mesh == nullptr || !rooted) return {};
  if (rank_count(request.machine) == 1) return {copy(request)};
  return {distance_plus_port(request, *mesh)};
}

}  // namespace muster
