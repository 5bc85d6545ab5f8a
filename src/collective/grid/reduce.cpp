// A reduce alone.
#include "collective/grid/reduce.h"

#include <numeric>
#include <utility>

#include "base/index.h"
#include "machine/mesh.h"
#include "machine/routing.h"

namespace muster {

std::vector<NodeId> all_ranks(const Machine& machine) {
  std::vector<NodeId> ranks(at(rank_count(machine)));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Algorithm reduce_algorithm(const Reduce& reduce) {
  const auto make = [reduce](const Request& request, const Parameters& parameters) {
    Contract contract{.collective = Collective::reduce,
                      .ranks = all_ranks(request.machine),
                      .root = request.root,
                      .count = request.count};
    if (reduce.write_phases) {
      GridPhases phases(*as<Mesh>(request.machine), request.count);
      reduce.write_phases(request, parameters, phases);
      return std::move(phases).finish(std::move(contract));
    }
    ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
    reduce.write(request, parameters, b);
    b.contract(std::move(contract));
    return std::move(b).finish();
  };
  return {.collective = Collective::reduce,
          .name = reduce.name,
          .family = "mesh",
          .summary = reduce.summary,
          .source = reduce.source,
          .parameters = reduce.parameters,
          .unsupported = reduce.unsupported,
          .make = make,
          .cost = reduce.cost,
          .cost_tolerance = reduce.cost_tolerance,
          .knows_machine = reduce.knows_machine,
          .least_cost = reduce.least_cost,
          .cost_by_root = reduce.cost_by_root};
}

}  // namespace muster
