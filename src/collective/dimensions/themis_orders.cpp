// Themis, Algorithm 1. Loads are predicted sending times; they start at the fixed delays of the collective on each dimension
// (§4.4). While the loads differ by less than a sixteenth of the chunk takes on the least loaded dimension, the baseline's
// order is kept.
#include <algorithm>

#include "base/index.h"
#include "collective/dimensions/scheduler.h"

namespace muster {
namespace {

constexpr std::int64_t kThresholdPart = 16;

class LoadTracker {
 public:
  explicit LoadTracker(const ChunkedCollective& c)
      : cluster_(c.cluster()),
        times_(c.times),
        pass_(one_pass(c.cluster(), c.collective)),
        baseline_(baseline_order(c.cluster())) {
    const int passes = scatters(c.collective) && gathers(c.collective) ? 2 : 1;
    for (const std::int32_t d : baseline_) {
      const Collective one = pass_ == Collective::allreduce ? Collective::reduce_scatter : pass_;
      loads_.push_back(times_.operation(d, one, cluster_.dimensions[at(d)].size).delay * passes);
    }
  }

  DimensionOrder place(std::int64_t count) {
    const auto [least, most] = std::minmax_element(loads_.begin(), loads_.end());
    DimensionOrder order = baseline_;
    if (*most - *least >= threshold(static_cast<std::int32_t>(least - loads_.begin()), count)) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::int32_t a, std::int32_t b) { return loads_[at(a)] < loads_[at(b)]; });
    }
    for (const ChunkOperation& o : times_.operations({.count = count, .order = order}, pass_)) {
      loads_[at(o.dimension)] += o.sending;
    }
    return order;
  }

 private:
  Cycles threshold(std::int32_t dimension, std::int64_t count) {
    std::int64_t part = std::max<std::int64_t>(1, count / kThresholdPart);
    const std::int64_t members = cluster_.dimensions[at(dimension)].size;
    if (pass_ == Collective::all_to_all) part = (part + members - 1) / members * members;
    const Collective one = pass_ == Collective::allreduce ? Collective::reduce_scatter : pass_;
    return times_.operation(dimension, one, part).sending;
  }
  const Cluster& cluster_;
  OperationTimes& times_;
  Collective pass_;
  DimensionOrder baseline_;
  std::vector<Cycles> loads_;
};

}  // namespace

/// An allgather's order is the reverse of what its chunks would be scattered in: the most loaded dimension first.
std::vector<DimensionOrder> themis_orders(const ChunkedCollective& collective) {
  LoadTracker tracker(collective);
  std::vector<DimensionOrder> orders;
  for (const std::int64_t count : collective.chunks) orders.push_back(tracker.place(count));
  return orders;
}

}  // namespace muster
