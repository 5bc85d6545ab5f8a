// Themis, Algorithm 1. Loads are predicted sending times; they start at the fixed delays of the collective on each dimension
// (§4.4). While the loads differ by less than a sixteenth of the chunk takes on the least loaded dimension, the baseline's
// order is kept.
#include <algorithm>

#include "base/index.h"
#include "collective/dimensions/scheduler.h"
#include "machine/cluster.h"

namespace muster {
namespace {

constexpr std::int64_t kThresholdPart = 16;

class LoadTracker {
 public:
  explicit LoadTracker(const ChunkedCollective& c)
      : cluster_(c.cluster()),
        times_(c.times),
        compared_(compared_by(c.cluster(), c.collective)),
        baseline_(baseline_order(c.cluster())) {
    for (const std::int32_t d : baseline_) {
      loads_.push_back(times_.operation(d, one_pass(), cluster_.dimensions[at(d)].size).delay *
                       passes_of(c.collective));
    }
  }

  DimensionOrder assign(std::int64_t count) {
    const auto [least, most] = std::minmax_element(loads_.begin(), loads_.end());
    DimensionOrder order = baseline_;
    if (*most - *least >= threshold(static_cast<std::int32_t>(least - loads_.begin()), count)) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::int32_t a, std::int32_t b) { return loads_[at(a)] < loads_[at(b)]; });
    }
    for (const ChunkOperation& o : times_.operations({.count = count, .order = order}, compared_.collective)) {
      loads_[at(o.dimension)] += o.sending;
    }
    return order;
  }

 private:
  [[nodiscard]] Collective one_pass() const {
    return compared_.passes > 1 ? Collective::reduce_scatter : compared_.collective;
  }

  Ticks threshold(std::int32_t dimension, std::int64_t count) {
    std::int64_t part = std::max<std::int64_t>(1, count / kThresholdPart);
    const std::int64_t members = cluster_.dimensions[at(dimension)].size;
    if (compared_.collective == Collective::all_to_all) part = (part + members - 1) / members * members;
    return times_.operation(dimension, one_pass(), part).sending * compared_.passes;
  }
  const Cluster& cluster_;
  OperationTimes& times_;
  Compared compared_;
  DimensionOrder baseline_;
  std::vector<Ticks> loads_;
};

}  // namespace

/// An allgather's order is the reverse of what its chunks would be scattered in: the most loaded dimension first.
std::vector<DimensionOrder> themis_orders(const ChunkedCollective& collective) {
  LoadTracker tracker(collective);
  std::vector<DimensionOrder> orders;
  for (const std::int64_t count : collective.chunks) orders.push_back(tracker.assign(count));
  return orders;
}

}  // namespace muster
