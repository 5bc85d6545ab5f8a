// Balanced: how many chunks take which order. The loads that a cluster can be given are the convex combinations of those of
// the D! orders, and the best of them loads all dimensions equally wherever the cut bound of bounds/cut.cpp is that of all of
// them. So chunks are given to orders one by one, each to where the squares of the loads grow least; then single chunks move
// to other orders while that brings the loads closer together; then the chunks are put into a sequence in which the loads
// grow evenly from the first chunk on.
#include <algorithm>
#include <limits>
#include <numeric>

#include "base/index.h"
#include "collective/dimensions/scheduler.h"
#include "machine/cluster.h"

namespace muster {
namespace {

constexpr std::size_t kMostPermuted = 5;  ///< dimensions; of more, only the rotations of the baseline are tried

using Loads = std::vector<std::int64_t>;

/// The baseline's order, then its rotations, again and again.
std::vector<DimensionOrder> rotations(const Cluster& cluster, std::size_t count) {
  std::vector<DimensionOrder> orders;
  DimensionOrder order = baseline_order(cluster);
  for (std::size_t i = 0; i < count; ++i) {
    orders.push_back(order);
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  return orders;
}

std::vector<DimensionOrder> all_orders(const Cluster& cluster) {
  DimensionOrder order = baseline_order(cluster);
  if (order.size() > kMostPermuted) return rotations(cluster, order.size());
  std::vector<DimensionOrder> orders;
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

struct OrderLoads {
  std::vector<Loads> of_orders;
  Loads before;
};

/// What each dimension has to send before, of which only the differences count, and no more than many chunks; as a share of what
/// is compared of the collective.
Loads scaled(const ChunkedCollective& c, const std::vector<Ticks>& before, double unit) {
  constexpr double kMost = 1 << 24;
  Loads loads(c.cluster().dimensions.size(), 0);
  if (before.empty()) return loads;
  const int shares = passes_of(c.collective) / compared_by(c.cluster(), c.collective).passes;
  const Ticks least = *std::min_element(before.begin(), before.end());
  for (std::size_t d = 0; d < loads.size(); ++d) {
    const double more = static_cast<double>((before[d] - least).value()) / shares;
    loads[d] = static_cast<std::int64_t>(std::min(more / unit, kMost));
  }
  return loads;
}

/// What a chunk in each order sends in each dimension, in 2^-16 of the longest: so that squares of sums stay exact.
OrderLoads loads_of(const ChunkedCollective& c, const std::vector<DimensionOrder>& orders,
                    const std::vector<Ticks>& before) {
  constexpr std::int64_t kScale = 1 << 16;
  const std::int64_t count = *std::max_element(c.chunks.begin(), c.chunks.end());
  std::vector<Loads> all;
  std::int64_t longest = 1;
  for (const DimensionOrder& order : orders) {
    Loads& loads = all.emplace_back(c.cluster().dimensions.size(), 0);
    for (const ChunkOperation& o :
         c.times.operations({.count = count, .order = order}, compared_by(c.cluster(), c.collective).collective)) {
      loads[at(o.dimension)] += o.sending.value();
      longest = std::max(longest, loads[at(o.dimension)]);
    }
  }
  for (Loads& loads : all) {
    for (std::int64_t& load : loads) {
      load = static_cast<std::int64_t>(static_cast<double>(load) / static_cast<double>(longest) * kScale);
    }
  }
  return {.of_orders = std::move(all), .before = scaled(c, before, static_cast<double>(longest) / kScale)};
}

class Composer {
 public:
  explicit Composer(OrderLoads loads)
      : loads_(std::move(loads.of_orders)),
        chosen_(loads_.size(), 0),
        before_(std::move(loads.before)),
        total_(before_) {}

  void add_chunk() {
    std::size_t best = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t order = 0; order < loads_.size(); ++order) {
      const std::int64_t squares = squares_of(with(order));
      if (squares >= least) continue;
      best = order;
      least = squares;
    }
    change(best, 1);
  }

  /// Moves one chunk to another order, if that helps.
  bool improve() {
    std::pair best(*std::max_element(total_.begin(), total_.end()), squares_of(total_));
    std::size_t from = 0, to = 0;
    for (std::size_t a = 0; a < loads_.size(); ++a) {
      if (chosen_[a] == 0) continue;
      for (std::size_t b = 0; b < loads_.size(); ++b) {
        Loads moved = with(b);
        for (std::size_t d = 0; d < moved.size(); ++d) moved[d] -= loads_[a][d];
        const std::pair now(*std::max_element(moved.begin(), moved.end()), squares_of(moved));
        if (now >= best) continue;
        best = now;
        from = a;
        to = b;
      }
    }
    if (from == to) return false;
    change(from, -1);
    change(to, 1);
    return true;
  }

  /// The chosen orders, one after another, so that loads grow evenly. The composer is spent.
  std::vector<std::size_t> sequence() && {
    total_ = before_;
    std::vector<std::size_t> sequence;
    for (std::int64_t left = std::accumulate(chosen_.begin(), chosen_.end(), std::int64_t{0}); left > 0; --left) {
      std::size_t best = loads_.size();
      std::int64_t least = 0;
      for (std::size_t order = 0; order < loads_.size(); ++order) {
        if (chosen_[order] == 0) continue;
        const Loads next = with(order);
        const auto [low, high] = std::minmax_element(next.begin(), next.end());
        if (best < loads_.size() && *high - *low >= least) continue;
        best = order;
        least = *high - *low;
      }
      sequence.push_back(best);
      total_ = with(best);
      --chosen_[best];
    }
    return sequence;
  }

 private:
  [[nodiscard]] Loads with(std::size_t order) const {
    Loads sum = total_;
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += loads_[order][d];
    return sum;
  }
  static std::int64_t squares_of(const Loads& loads) {
    return std::inner_product(loads.begin(), loads.end(), loads.begin(), std::int64_t{0});
  }
  void change(std::size_t order, std::int64_t by) {
    chosen_[order] += by;
    for (std::size_t d = 0; d < total_.size(); ++d) total_[d] += by * loads_[order][d];
  }

  std::vector<Loads> loads_;          ///< of each order
  std::vector<std::int64_t> chosen_;  ///< chunks of each order
  Loads before_;
  Loads total_;
};

}  // namespace

std::vector<DimensionOrder> balanced_orders(const ChunkedCollective& collective, const std::vector<Ticks>& before) {
  if (collective.collective == Collective::all_to_all) {
    return rotations(collective.cluster(), collective.chunks.size());
  }
  const std::vector<DimensionOrder> orders = all_orders(collective.cluster());
  Composer composer(loads_of(collective, orders, before));
  for (std::size_t i = 0; i < collective.chunks.size(); ++i) composer.add_chunk();
  for (std::size_t moves = 0; moves < collective.chunks.size() && composer.improve(); ++moves) continue;
  std::vector<DimensionOrder> chosen;
  for (const std::size_t order : std::move(composer).sequence()) chosen.push_back(orders[order]);
  return chosen;
}

}  // namespace muster
