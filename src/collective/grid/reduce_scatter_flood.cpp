// Reduce, then scatter: any reduce to some root, which then sends all blocks but its own, those of the farthest PEs first.
//
// Steps: those of the reduce, then those of the flooding scatter from the root's sums. Busiest port: the root's, what it takes
// in the reduce and B out; every PE takes B more. Cost (ours): the two add up. Short vectors and medium ones: the pipelined
// reduce-scatter's port is no less busy, and its chains are longer.
#include "collective/algorithms.h"
#include "collective/grid/continued_reduce.h"
#include "collective/grid/scatter.h"

namespace muster {

Algorithm reduce_scatter_flood(const Reduce& reduce) {
  return continued(reduce, {.collective = Collective::reduce_scatter,
                            .summary = "floods the blocks, the farthest first",
                            .source = "ours (docs/wafer.md)",
                            .write = [](const Request& request,
                                        ScheduleBuilder& b) { write_scatter(b, request, {.from = Buffer::output}); },
                            .next = Collective::scatter,
                            .cost = [](const Request& request) { return scatter_cycles(request, false); },
                            .cost_tolerance = Cycles(2)});
}

}  // namespace muster
