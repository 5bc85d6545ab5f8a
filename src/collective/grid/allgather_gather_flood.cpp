// Gather, then flood: all blocks go to a PE in the middle, as in the direct gather, and from there at once to all.
//
// Steps: those of gather `direct` and broadcast `flood`. Busiest port: the middle's, which takes B less its own block and
// sends B. Cost (ours): the cost of the gather, and B + h d + 2 T_R for d hops from the middle to the farthest PE. About
// twice the lower bound for long blocks, where `halves` takes 3/2 of it; for lines of few words it is the fastest.
#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "collective/grid/flood.h"
#include "collective/grid/gather_direct.h"
#include "collective/grid/model.h"
#include "machine/mesh.h"

namespace muster {

namespace {

/// The same request as a gather at the PE in the middle.
Request at_the_middle(Request request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  request.collective = Collective::gather;
  request.root = node_at(mesh, {.x = mesh.width / 2, .y = mesh.height / 2});
  return request;
}

Schedule make(const Request& request, const Parameters&) {
  const Request gather = at_the_middle(request);
  std::vector<NodeId> others = all_ranks(request.machine);
  others.erase(others.begin() + gather.root);
  ScheduleBuilder b({.nodes = rank_count(*as<Mesh>(request.machine)), .count = request.count});
  write_direct_gather(b, gather);
  write_flood(b, gather.root, others, b.span({0, request.count}), {.from = Buffer::output});
  b.contract({.collective = Collective::allgather, .ranks = all_ranks(request.machine), .count = request.count});
  return std::move(b).finish();
}

Cycles cost(const Request& request, const Parameters&) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  if (rank_count(mesh) == 1) return copy_cycles(request.count);
  const Request gather = at_the_middle(request);
  const std::int64_t latency =
      mesh.hop_latency.value() * farthest_hops(mesh, gather.root) + 2 * mesh.ramp_latency.value();
  return direct_gather_cycles(gather) + Cycles(request.count + latency);
}

}  // namespace

Algorithm allgather_gather_flood() {
  return {.collective = Collective::allgather,
          .name = "gather-flood",
          .family = "mesh",
          .summary = "all blocks go directly to the middle PE, which floods the vector back",
          .source = "Muster's own: docs/wafer.md",
          .parameters = {},
          .unsupported = unless_mesh,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.fraction = 0.05, .cycles = Cycles(8)}};
}

}  // namespace muster
