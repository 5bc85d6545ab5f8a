// One pass over the operations: each begins when its dimension is free and its predecessors have arrived.
#include <algorithm>
#include <numeric>

#include "backend/cluster/cluster.h"
#include "backend/cluster/data.h"
#include "backend/cluster/timeline.h"
#include "base/index.h"
#include "base/saturating.h"
#include "machine/cluster.h"
#include "machine/cluster_rounds.h"
#include "machine/routing.h"
#include "result/time_base.h"

namespace muster::cluster {
namespace {

struct DimensionLoad {
  Ticks free;             ///< when it can send again
  Ticks busy;             ///< time that it sent
  Bytes bytes;            ///< that all NPUs sent on it
  std::int64_t port = 0;  ///< words that an NPU sent on it, at most
};

/// Whether data can be computed, and compared with that of the flat schedule.
bool is_small(const ClusterProgram& program) {
  const Schedule& schedule = program.schedule;
  std::int64_t steps = 0;
  for (const Phase& phase : schedule.phases) {
    steps += static_cast<std::int64_t>(schedule.parts[at(phase.part)].steps.size() * groups_of(schedule, phase).size());
  }
  return saturating_product(schedule.extent_of(Buffer::input), schedule.node_count) <= kMostComputedWords &&
         steps <= kMostComputedSteps;
}

/// Operations in the order in which they have arrived.
std::vector<std::int32_t> by_end(const std::vector<Ticks>& ends) {
  std::vector<std::int32_t> order(ends.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return ends[at(a)] < ends[at(b)]; });
  return order;
}

}  // namespace

Result simulate(const ClusterProgram& program, const SimulateOptions& options) {
  const Cluster& cluster = program.cluster();
  Result result;
  std::vector<DimensionLoad> loads(cluster.dimensions.size());
  std::vector<Ticks> begins, ends;
  Ticks end;
  for (const Operation& o : program.operations) {
    DimensionLoad& load = loads[at(o.dimension)];
    Ticks begin = load.free;
    for (const std::int32_t earlier : o.after) begin = std::max(begin, ends[at(earlier)]);
    load.free = begin + o.sending;
    load.busy += o.sending;
    load.bytes += o.bytes;
    result.hops += o.bytes.value() / static_cast<std::int64_t>(sizeof(Word));
    load.port += o.port;
    result.max_port_load = std::max(result.max_port_load, load.port);
    begins.push_back(begin);
    ends.push_back(load.free + o.delay);
    end = std::max(end, ends.back());
  }

  end += closing_time(cluster);

  result.engine = cluster.accounting == Cluster::Accounting::astra ? "phases as ASTRA-sim counts" : "phases";
  result.cycles = end;
  result.seconds = to_seconds(end, kPicoseconds);
  double bytes = 0, capacity = 0;
  const double time = result.seconds.value() * rank_count(program.machine);
  for (std::size_t d = 0; d < loads.size(); ++d) {
    const double possible = cluster.dimensions[d].bandwidth().value() * time;
    const auto sent = static_cast<double>(loads[d].bytes.value());
    bytes += sent;
    capacity += possible;
    result.resources.push_back({.name = fmt::format("dimension {}", d + 1),
                                .bytes = loads[d].bytes,
                                .busy = to_seconds(loads[d].busy, kPicoseconds),
                                .utilization = possible > 0 ? sent / possible : 0});
  }
  result.utilization = capacity > 0 ? bytes / capacity : 0;
  for (int call = 0; call < options.calls && is_small(program); ++call) {
    result.outputs.push_back(compute_data(program, by_end(ends), options.seed + static_cast<std::uint64_t>(call)));
  }
  if (options.timeline) result.timeline = timeline_of_all(program, begins);
  return result;
}

}  // namespace muster::cluster
