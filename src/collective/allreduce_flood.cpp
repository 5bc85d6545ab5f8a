// Reduce, then flood: any reduce to some root, which then sends the sum to all others.
//
// Steps: those of the reduce; then the root sends what it has stored, and everybody stores what comes. Busiest port: the
// root's, what it takes in the reduce and B out; every PE takes B more. Source: Near-Optimal Wafer-Scale Reduce
// (HPDC'24), §6.1 and §7.4: the times add up.
//
// Why the root does not push the sums on as it adds up its last child: that child is still sending, and a PE handles one
// word per cycle. With one lane per PE the two would wait for each other; with a lane for the flood, the child would store
// its B words no earlier than B cycles after it has sent the last one, which is 2 T_R + 1 cycles and its way
// before the reduce ends. So what could be gained is a few cycles, whatever B is.
#include <algorithm>
#include <utility>

#include "base/saturating.h"
#include "collective/algorithms.h"
#include "collective/flood.h"
#include "collective/meeting_place.h"
#include "machine/routing.h"

namespace muster {

namespace {

/// What the reduce's parameters may be can depend on the root; they were completed before it was known.
Parameters fitted(const Reduce& reduce, const Request& request, Parameters parameters) {
  for (const ParameterSpec& spec : reduce.parameters) {
    std::int64_t& value = parameters.at(spec.name);
    value = std::clamp(value, spec.least(request), spec.most(request));
  }
  return parameters;
}

Schedule make(const Reduce& reduce, const Request& asked, const Parameters& parameters) {
  const Request request = with_meeting_place(asked, parameters);
  ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
  reduce.write(request, fitted(reduce, request, parameters), b);
  std::vector<NodeId> ranks = all_ranks(request.machine);
  std::vector<NodeId> others = ranks;
  others.erase(others.begin() + request.root);
  write_flood(b, request.root, others, b.span({0, request.count}), {.from = Buffer::output});
  b.contract({.collective = Collective::allreduce, .ranks = std::move(ranks), .root = 0, .count = request.count});
  return std::move(b).finish();
}

Cycles cost(const Reduce& reduce, const Request& asked, const Parameters& parameters) {
  const Request request = with_meeting_place(asked, parameters);
  const Cycles flood = flood_cycles(*request.machine.mesh(), request.root, request.count);
  return Cycles(saturating_sum(reduce.cost(request, fitted(reduce, request, parameters)).value(), flood.value()));
}

}  // namespace

Algorithm allreduce_flood(const Reduce& reduce) {
  std::vector<ParameterSpec> specs = reduce.parameters;
  specs.push_back(meeting_place());
  CostTolerance tolerance = reduce.cost_tolerance;
  tolerance.cycles = tolerance.cycles + Cycles(1);
  return {.collective = Collective::allreduce,
          .name = reduce.name + "-flood",
          .family = "mesh",
          .summary = reduce.name + " to one PE, which then floods the sum",
          .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §6.1 and §7.4",
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
