#include "app/training/cluster/spread.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/index.h"
#include "base/parallel.h"
#include "machine/cluster.h"

namespace muster::training {
namespace {

/// Parts of the total that move at once, one after another.
constexpr std::array<double, 4> kMoves{1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64};
constexpr double kLeastShare = 1.0 / 256;  ///< that a dimension keeps: without any, nothing could be sent there

using Shares = std::vector<double>;  ///< of all bandwidth, by dimension

Machine with_shares(Machine machine, const Shares& shares, BytesPerSecond total) {
  auto& dimensions = as<Cluster>(machine)->dimensions;
  for (std::size_t d = 0; d < shares.size(); ++d) {
    const double factor = total.value() * shares[d] / dimensions[d].bandwidth().value();
    dimensions[d].link_bandwidth = dimensions[d].link_bandwidth * factor;
  }
  return machine;
}

Seconds balanced_time(const TrainRequest& request, const Shares& shares, BytesPerSecond total) {
  TrainRequest other = request;
  other.machine = with_shares(request.machine, shares, total);
  const TrainingAnswer answer = train(other);
  const auto found = std::find_if(answer.iterations.begin(), answer.iterations.end(),
                                  [](const IterationAnswer& iteration) { return iteration.scheduler == "balanced"; });
  return found->total;
}

/// Every move of `part` from one dimension to another.
std::vector<Shares> neighbours(const Shares& shares, double part) {
  std::vector<Shares> all;
  for (std::size_t from = 0; from < shares.size(); ++from) {
    for (std::size_t to = 0; to < shares.size(); ++to) {
      if (from == to || shares[from] - part < kLeastShare) continue;
      Shares moved = shares;
      moved[from] -= part;
      moved[to] += part;
      all.push_back(std::move(moved));
    }
  }
  return all;
}

}  // namespace

AdviceAnswer::Spread best_spread_on_cluster(const TrainRequest& request, const std::function<void(double)>& progress) {
  const auto& dimensions = as<Cluster>(request.machine)->dimensions;
  BytesPerSecond total;
  for (const Cluster::Dimension& d : dimensions) total += d.bandwidth();
  Shares best;
  for (const Cluster::Dimension& d : dimensions) best.push_back(d.bandwidth() / total);
  AdviceAnswer::Spread answer{.workload = request.workload.name, .now = balanced_time(request, best, total)};
  answer.best = answer.now;
  for (std::size_t move = 0; move < kMoves.size(); ++move) {
    while (true) {
      const std::vector<Shares> all = neighbours(best, kMoves[move]);
      std::vector<Seconds> times(all.size());
      for_each_index(all.size(), [&](std::size_t i) { times[i] = balanced_time(request, all[i], total); });
      answer.tried += static_cast<std::int64_t>(all.size());
      const auto fastest = std::min_element(times.begin(), times.end());
      if (fastest == times.end() || !(*fastest < answer.best)) break;
      answer.best = *fastest;
      best = all[at(fastest - times.begin())];
    }
    if (progress) progress(static_cast<double>(move + 1) / static_cast<double>(kMoves.size()));
  }
  for (const double share : best) answer.bandwidths.push_back(total * share);
  return answer;
}

}  // namespace muster::training
