// Flood: the root sends its vector once; routers duplicate it on the way, so that every PE gets it as it passes.
//
// Steps: the root pushes its vector on one multicast stream, along its row and from there along the columns; every other
// PE stores what comes where the root has it: in place, since a copy would cost the root as long as the sending. Busiest link: every link carries B wavelets, every port takes B. Depth 1:
// no broadcast is faster. Source: Near-Optimal Wafer-Scale Reduce (HPDC'24), Lemma 4.1 (B + P + 2 T_R on a row) and
// Lemma 7.1 (on a grid); both are Equation (1) with the distance of the farthest PE, which is how a root elsewhere is
// counted.
#include <utility>

#include "collective/algorithms.h"
#include "collective/grid/block_line.h"
#include "collective/grid/flood.h"
#include "collective/grid/model.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

namespace {

Schedule make(const Request& request, const Parameters&) {
  std::vector<NodeId> ranks = all_ranks(request.machine);
  std::vector<NodeId> others = ranks;
  others.erase(others.begin() + request.root);

  const Buffer to = others.empty() ? Buffer::output : Buffer::input;  // a PE alone copies its vector
  ScheduleBuilder b(
      {.nodes = rank_count(request.machine), .count = request.count, .output = others.empty() ? request.count : 0});
  const SpanId all = b.span({0, request.count});
  write_flood(b, request.root, others, all, {.from = Buffer::input, .to = to});
  b.contract({.collective = Collective::broadcast,
              .ranks = std::move(ranks),
              .root = request.root,
              .count = request.count,
              .to = to});
  return std::move(b).finish();
}

Cycles cost(const Request& request, const Parameters&) {
  if (rank_count(request.machine) == 1) return copy_cycles(request.count);
  return flood_cycles(*as<Mesh>(request.machine), request.root, request.count);
}

}  // namespace

Algorithm broadcast_flood() {
  return {.collective = Collective::broadcast,
          .name = "flood",
          .family = "mesh",
          .summary = "the root sends once; routers duplicate the stream on its way to every PE",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §4.2 and §7.1",
          .parameters = {},
          .unsupported = unless_mesh,
          .make = make,
          .cost = cost,
          .cost_tolerance = {.cycles = Cycles(1)}};
}

}  // namespace muster
