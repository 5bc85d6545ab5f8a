// Reduce, then scatter: any reduce to some root, which then sends all blocks but its own, those of the farthest PEs first.
//
// Steps: those of the reduce, then those of the flooding scatter from the root's sums. Busiest port: the root's, what it takes
// in the reduce and B out; every PE takes B more. Cost (ours): the two add up. Short vectors and medium ones: the pipelined
// reduce-scatter's port is no less busy, and its chains are longer.
#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/meeting_place.h"
#include "collective/scatter.h"
#include "machine/routing.h"

namespace muster {

namespace {

Schedule make(const Reduce& reduce, const Request& asked, const Parameters& parameters) {
  const Request request = with_meeting_place(asked, parameters);
  ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
  reduce.write(request, parameters, b);
  write_scatter(b, request, {.from = Buffer::output});
  b.contract({.collective = Collective::reduce_scatter, .ranks = all_ranks(request.machine), .count = request.count});
  return std::move(b).finish();
}

Cycles cost(const Reduce& reduce, const Request& asked, const Parameters& parameters) {
  const Request request = with_meeting_place(asked, parameters);
  return Cycles(saturating_sum(reduce.cost(request, parameters).value(), scatter_cycles(request, false).value()));
}

}  // namespace

Algorithm reduce_scatter_flood(const Reduce& reduce) {
  std::vector<ParameterSpec> specs = reduce.parameters;
  specs.push_back(meeting_place());
  CostTolerance tolerance = reduce.cost_tolerance;
  tolerance.cycles = tolerance.cycles + Cycles(2);
  return {.collective = Collective::reduce_scatter,
          .name = reduce.name + "-flood",
          .family = "mesh",
          .summary = reduce.name + " to one PE, which then floods the blocks, the farthest first",
          .source = "ours (docs/wafer.md)",
          .parameters = std::move(specs),
          .unsupported = reduce.unsupported,
          .make = [reduce](const Request& request,
                           const Parameters& parameters) { return make(reduce, request, parameters); },
          .cost = [reduce](const Request& request,
                           const Parameters& parameters) { return cost(reduce, request, parameters); },
          .cost_tolerance = tolerance,
          .knows_machine = reduce.knows_machine};
}

}  // namespace muster
