// Dimensions one by one, then in pairs as the paper looks at them, then all sets of them as the bound does.
#include "study/cluster/bandwidth_advice.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "collective/dimensions/bandwidth_shares.h"
#include "machine/cluster.h"

namespace muster {
namespace {

constexpr double kRounding = 1e-9;

std::string kind_name(Cluster::Kind kind) {
  switch (kind) {
    case Cluster::Kind::ring:
      return "ring";
    case Cluster::Kind::fully_connected:
      return "fully connected";
    case Cluster::Kind::switched:
      return "switch";
  }
  MUSTER_ASSERT(false, "a dimension of an unknown kind");
}

/// The bandwidth that the baseline uses of each dimension when the busiest is busy all the time.
std::vector<BytesPerSecond> used_by_baseline(const Cluster& cluster) {
  const std::vector<double> shares = baseline_shares(cluster);
  double longest = 0;
  for (std::size_t d = 0; d < shares.size(); ++d) {
    longest = std::max(longest, shares[d] / cluster.dimensions[d].bandwidth().value());
  }
  std::vector<BytesPerSecond> used;
  for (const double share : shares) used.emplace_back(share / longest);
  return used;
}

AdviceAnswer::Dimension look_at(const Cluster& cluster, std::size_t d, BytesPerSecond used) {
  const Cluster::Dimension& dimension = cluster.dimensions[d];
  const BytesPerSecond all = bandwidth_of(cluster, all_dimensions(cluster));
  const ShareRange range = share_range(cluster, DimensionSet{1} << d);
  const bool is_busy = used / dimension.bandwidth() > 1 - kRounding;
  return {.kind = kind_name(dimension.kind),
          .size = dimension.size,
          .bandwidth = dimension.bandwidth(),
          .share = dimension.bandwidth() / all,
          .baseline_busy = used / dimension.bandwidth(),
          .baseline_wasted = is_busy ? BytesPerSecond(0) : dimension.bandwidth() - used,
          .baseline_best = all * baseline_shares(cluster)[d],
          .least_share = range.least,
          .most_share = range.most};
}

/// The paper calls BW_K = P_K ... P_(L-1) BW_L just enough, which takes (P - 1) / P as 1 in both dimensions; without that,
/// the ratio is another one wherever their sizes differ. What lies between the two is just enough here.
Provision provision_of(double ratio, double exact) {
  if (ratio < std::min(1.0, exact) * (1 - kRounding)) return Provision::under;
  if (ratio > std::max(1.0, exact) * (1 + kRounding)) return Provision::over;
  return Provision::just_enough;
}

AdviceAnswer::Pair compare(const Cluster& cluster, std::size_t first, std::size_t second) {
  const Cluster::Dimension& k = cluster.dimensions[first];
  const Cluster::Dimension& l = cluster.dimensions[second];
  double shrinks = 1;
  for (std::size_t d = first; d < second; ++d) shrinks *= cluster.dimensions[d].size;
  const double ratio = shrinks * (l.bandwidth() / k.bandwidth());
  const double exact = (1 - 1.0 / l.size) / (1 - 1.0 / k.size);
  return {.first = static_cast<int>(first) + 1,
          .second = static_cast<int>(second) + 1,
          .provision = provision_of(ratio, exact),
          .ratio = ratio,
          .enough = k.bandwidth() * (exact / shrinks)};
}

std::vector<int> numbers_of(DimensionSet set) {
  std::vector<int> numbers;
  for (int d = 0; set >> d != 0; ++d) {
    if ((set >> d & 1U) != 0) numbers.push_back(d + 1);
  }
  return numbers;
}

void add_limits(const Cluster& cluster, AdviceAnswer& answer) {
  for (std::size_t d = 0; d < answer.dimensions.size(); ++d) {
    if (answer.dimensions[d].baseline_busy < 1 - kRounding) continue;
    answer.baseline_limiting.push_back(static_cast<int>(d) + 1);
  }
  const Ceiling ceiling = utilization_ceiling(cluster);
  answer.ceiling = ceiling.utilization;
  if (ceiling.limiting == all_dimensions(cluster)) return;
  answer.limiting = numbers_of(ceiling.limiting);
  answer.limiting_share = bandwidth_of(cluster, ceiling.limiting) / answer.bandwidth;
  answer.limiting_least = share_range(cluster, ceiling.limiting).least;
}

/// A switch of another size than a power of two is used by folding, which costs bytes that no share here counts.
void add_notes(const Cluster& cluster, AdviceAnswer& answer) {
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) {
    const Cluster::Dimension& dimension = cluster.dimensions[d];
    if (dimension.reduces) continue;
    if (dimension.kind != Cluster::Kind::switched || std::has_single_bit(static_cast<std::uint32_t>(dimension.size)))
      continue;
    answer.notes.push_back(
        fmt::format("dimension {} has {} members at a switch, which is not a power of two: members beyond {} are "
                    "folded into others, so more is sent there than this table counts",
                    d + 1, dimension.size, std::bit_floor(static_cast<std::uint32_t>(dimension.size))));
  }
  if (!has_reducing_switch(cluster)) return;
  answer.collectives = {"reduce-scatter", "allgather"};
  answer.notes.emplace_back(
      "switches reduce: what an allreduce sends through them depends on their position in the order of dimensions; "
      "'muster plan' accounts for that");
}

}  // namespace

AdviceAnswer advise_on_bandwidths(const Machine& machine) {
  const Cluster& cluster = *as<Cluster>(machine);
  AdviceAnswer answer{.machine = machine.name, .summary = machine.summary};
  answer.bandwidth = bandwidth_of(cluster, all_dimensions(cluster));
  const std::vector<BytesPerSecond> used = used_by_baseline(cluster);
  BytesPerSecond all_used;
  for (std::size_t d = 0; d < used.size(); ++d) {
    answer.shape.push_back(cluster.dimensions[d].size);
    answer.dimensions.push_back(look_at(cluster, d, used[d]));
    all_used += used[d];
    for (std::size_t k = 0; k < d; ++k) answer.pairs.push_back(compare(cluster, k, d));
  }
  answer.baseline_utilization = all_used / answer.bandwidth;
  add_limits(cluster, answer);
  add_notes(cluster, answer);
  return answer;
}

}  // namespace muster
