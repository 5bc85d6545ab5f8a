// A reduce alone.
#include "collective/grid/reduce.h"

#include <numeric>
#include <utility>

#include "base/index.h"
#include "machine/routing.h"

namespace muster {

std::vector<NodeId> all_ranks(const Machine& machine) {
  std::vector<NodeId> ranks(at(rank_count(machine)));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Algorithm reduce_algorithm(const Reduce& reduce) {
  const auto make = [write = reduce.write](const Request& request, const Parameters& parameters) {
    ScheduleBuilder b({.nodes = rank_count(request.machine), .count = request.count});
    write(request, parameters, b);
    b.contract({.collective = Collective::reduce,
                .ranks = all_ranks(request.machine),
                .root = request.root,
                .count = request.count});
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
          .cost_by_root = reduce.cost_by_root};
}

}  // namespace muster
