// Reduce, then flood: any reduce to some root, which then sends the sum to all others.
//
// Steps: those of the reduce; then the root sends what it has stored, and every PE stores what comes. Busiest port: the
// root's, what it takes in the reduce and B out; every PE takes B more. Source: Near-Optimal Wafer-Scale Reduce
// (HPDC'24), §6.1 and §7.4: the times add up.
//
// Why the root does not push the sums on as it adds up its last child: that child is still sending, and a PE handles one
// word per cycle. With one lane per PE the two would wait for each other; with a lane for the flood, the child would store
// its B words no earlier than B cycles after it has sent the last one, which is 2 T_R + 1 cycles and its way
// before the reduce ends. So what could be gained is a few cycles, whatever B is.
#include "collective/algorithms.h"
#include "collective/grid/continued_reduce.h"
#include "collective/grid/flood.h"
#include "machine/mesh.h"

namespace muster {

Algorithm allreduce_flood(const Reduce& reduce) {
  return continued(
      reduce,
      {.collective = Collective::allreduce,
       .summary = "floods the sum",
       .source = "Near-Optimal Wafer-Scale Reduce (HPDC'24), §6.1 and §7.4",
       .write =
           [](const Request& request, ScheduleBuilder& b) {
             std::vector<NodeId> others = all_ranks(request.machine);
             others.erase(others.begin() + request.root);
             write_flood(b, request.root, others, b.span({0, request.count}), {.from = Buffer::output});
           },
       .cost =
           [](const Request& request) { return flood_cycles(*as<Mesh>(request.machine), request.root, request.count); },
       .cost_tolerance = Cycles(1)});
}

}  // namespace muster
