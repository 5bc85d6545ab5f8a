// With P_A the product of the sizes of a set A: a chunk that visits A first sends 1 - 1/P_A of itself on A; one that visits A
// last, a P / P_A-th of that. All dimensions together always get 1 - 1/P, which is what shares are taken of.
#include "collective/dimensions/bandwidth_shares.h"

#include <bit>

#include "machine/cluster.h"

namespace muster {
namespace {

double product_of_sizes(const Cluster& cluster, DimensionSet set) {
  double product = 1;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    if ((set >> d & 1U) != 0) product *= cluster.dimensions[d].size;
  }
  return product;
}

}  // namespace

BytesPerSecond bandwidth_of(const Cluster& cluster, DimensionSet set) {
  BytesPerSecond sum;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    if ((set >> d & 1U) != 0) sum += cluster.dimensions[d].bandwidth();
  }
  return sum;
}

std::vector<double> baseline_shares(const Cluster& cluster) {
  const double all = 1 - 1 / product_of_sizes(cluster, all_dimensions(cluster));
  std::vector<double> shares;
  double left = 1;  // of a chunk
  for (const Cluster::Dimension& d : cluster.dimensions) {
    const double after = left / d.size;
    shares.push_back((left - after) / all);
    left = after;
  }
  return shares;
}

ShareRange share_range(const Cluster& cluster, DimensionSet set) {
  const double all = product_of_sizes(cluster, all_dimensions(cluster));
  const double own = product_of_sizes(cluster, set);
  return {.least = (own - 1) / (all - 1), .most = (1 - 1 / own) / (1 - 1 / all)};
}

Ceiling utilization_ceiling(const Cluster& cluster) {
  constexpr double kRounding = 1e-12;
  Ceiling ceiling{.utilization = 1, .limiting = all_dimensions(cluster)};
  const BytesPerSecond all = bandwidth_of(cluster, ceiling.limiting);
  for (DimensionSet set = 1; set < all_dimensions(cluster); ++set) {
    const double reached = bandwidth_of(cluster, set) / all / share_range(cluster, set).least;
    const bool is_less = reached < ceiling.utilization - kRounding;
    const bool is_smaller = reached < ceiling.utilization + kRounding && ceiling.utilization < 1 &&
                            std::popcount(set) < std::popcount(ceiling.limiting);
    if (is_less || is_smaller) ceiling = {.utilization = reached, .limiting = set};
  }
  return ceiling;
}

}  // namespace muster
