// The schedulers, one after another, on the same iteration.
#include "app/training/cluster/iterations.h"

#include <algorithm>
#include <set>

#include "app/training/answers.h"
#include "app/training/cluster/groups.h"
#include "app/training/cluster/scheduled_carrier.h"
#include "app/training/limits.h"
#include "base/error.h"
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/dimensions/chunk.h"
#include "machine/cluster.h"
#include "result/time_base.h"

namespace muster::training {
namespace {

constexpr double kMostSentBytes = 1e17;              ///< that one communication sends
constexpr std::int64_t kMostOperations = 5'000'000;  ///< of chunks

/// A collective along a dimension must be small enough to be looked at message by message.
void check_dimensions(const Machine& machine, const Group& group, Collective collective) {
  Machine part = machine;
  part.network = opened(group).cluster;
  const Request request{.machine = part, .collective = collective, .count = group.members};
  if (const auto reason = hierarchical(collective).unsupported(request)) {
    reject("{}: {} {}", machine.name, collective_name(collective), *reason);
  }
}

/// Bytes one after another in the slowest dimension, and all delays: more than any scheduler takes.
double longest_time(const Group& group, double sent, std::int64_t chunks) {
  double slowest = 0, delays = 0;
  for (const Cluster::Dimension& d : opened(group).cluster.dimensions) {
    slowest = std::max(slowest, 1 / d.bandwidth().value());
    delays += 2.0 * d.size * d.latency.value();
  }
  const double rounding = 16.0 * static_cast<double>(chunks) * static_cast<double>(group.members);
  return (sent + rounding) * slowest + static_cast<double>(chunks) * delays;
}

void check(const TrainRequest& request, const Iteration& iteration) {
  const std::string& file = request.workload.file;
  std::set<std::pair<std::int32_t, Collective>> used;
  for (const Transfer& t : iteration.transfers) used.emplace(t.group, t.collective);
  for (const auto& [group, collective] : used) {
    check_dimensions(request.machine, iteration.groups[at(group)], collective);
  }
  double seconds = 0;
  std::int64_t operations = 0;
  for (const Transfer& transfer : iteration.transfers) {
    const Group& group = iteration.groups[at(transfer.group)];
    const double sent = sent_bytes(group, transfer);
    if (sent > kMostSentBytes)
      reject("{}: an NPU sends {:.3g} bytes at once, more than {}", file, sent, kMostSentBytes);
    const std::int64_t chunks = std::min(request.chunks, transfer.words);
    seconds += longest_time(group, sent, chunks);
    operations += 2 * chunks * static_cast<std::int64_t>(opened(group).dimensions.size());
  }
  check_duration(request, iteration, seconds);
  if (operations > kMostOperations) {
    reject("{}: {} chunk operations, more than {}; use fewer --chunks", file, operations, kMostOperations);
  }
}

/// With the time that every transfer takes at the bandwidth of all dimensions of its group together.
Iteration with_ideal_times(Iteration iteration) {
  for (Transfer& transfer : iteration.transfers) {
    const Group& group = iteration.groups[at(transfer.group)];
    if (group.members > 1) transfer.ideal = picoseconds(sent_bytes(group, transfer) / bandwidth(group).value());
  }
  return iteration;
}

class Comparison {
 public:
  Comparison(const TrainRequest& request, const Iteration& iteration)
      : iteration_(with_ideal_times(iteration)), planner_(iteration_, request.chunks) {
    const auto& dimensions = as<Cluster>(request.machine)->dimensions;
    dimensions_ = static_cast<std::int32_t>(dimensions.size());
    for (const Cluster::Dimension& d : dimensions) bandwidth_ += d.bandwidth();
    for (const Transfer& transfer : iteration_.transfers) {
      sent_ += sent_bytes(iteration_.groups[at(transfer.group)], transfer);
    }
  }

  std::vector<IterationAnswer> answers() {
    const Breakdown hierarchical = under({Orders::hierarchical, SendFirst::arrived});
    const Breakdown fifo = under({Orders::themis, SendFirst::arrived});
    const Breakdown scf = under({Orders::themis, SendFirst::smallest});
    Breakdown balanced = std::min({hierarchical, fifo, scf}, is_sooner);
    for (const Policy& policy : candidates()) balanced = std::min(balanced, under(policy), is_sooner);
    const std::unique_ptr<Carrier> ideal = ideal_carrier(iteration_);
    std::vector<IterationAnswer> all{answer("hierarchical", "", hierarchical), answer("themis", "fifo", fifo),
                                     answer("themis", "scf", scf), answer("balanced", "", balanced),
                                     answer("ideal", "", run(iteration_, *ideal))};
    return all;
  }

 private:
  static bool is_sooner(const Breakdown& a, const Breakdown& b) { return a.end < b.end; }

  /// What `balanced` tries beside the schedules of the others.
  static std::vector<Policy> candidates() {
    std::vector<Policy> all;
    for (const Orders orders : {Orders::balanced, Orders::balanced_backwards, Orders::beside}) {
      for (const SendFirst first : {SendFirst::feeding, SendFirst::smallest, SendFirst::arrived}) {
        all.push_back({orders, first});
      }
    }
    return all;
  }

  Breakdown under(const Policy& policy) {
    const std::unique_ptr<Carrier> carrier = scheduled_carrier(planner_, policy, dimensions_);
    return run(iteration_, *carrier);
  }

  [[nodiscard]] IterationAnswer answer(const char* scheduler, const char* order, const Breakdown& b) const {
    return iteration_answer({.scheduler = scheduler, .order = order, .sent = sent_, .bandwidth = bandwidth_}, b);
  }

  Iteration iteration_;
  Planner planner_;
  std::int32_t dimensions_ = 0;
  BytesPerSecond bandwidth_;
  double sent_ = 0;
};

}  // namespace

std::vector<IterationAnswer> iterations_on_cluster(const TrainRequest& request, const Iteration& iteration) {
  if (as<Cluster>(request.machine)->accounting != Cluster::Accounting::paper) {
    reject("train supports accounting = \"paper\" only; \"astra\" is for single collectives");
  }
  check(request, iteration);
  return Comparison(request, iteration).answers();
}

std::int64_t most_chunks_on_cluster(const Machine& machine) { return most_chunks(*as<Cluster>(machine)); }

}  // namespace muster::training
