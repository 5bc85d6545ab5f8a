// How much longer the collectives of a group take that lacks some links of its dimension.
#include <algorithm>
#include <map>
#include <set>

#include "machine/cluster.h"

namespace muster {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

Pair link_between(std::int32_t a, std::int32_t b) { return std::minmax({a, b}); }

/// A ring that lacks one link is a line; one that lacks two is in pieces.
Detour detour_on_ring(const Cluster::Dimension& ring, const std::vector<LinkEnds>& missing) {
  if (missing.size() > 1 || ring.links < 2 || ring.size < 3) return {.cut = missing.size() - 1};
  return {.factor = 2};
}

Detour detour_where_all_are_linked(std::int32_t size, const std::vector<LinkEnds>& missing) {
  std::set<Pair> lacks;
  for (const LinkEnds& link : missing) lacks.insert(link_between(link.a, link.b));
  std::map<Pair, double> passed;  // one way over a link, in messages between two members; as much goes the other way
  double most = 0;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const LinkEnds& link = missing[i];
    std::vector<std::int32_t> between;
    for (std::int32_t m = 0; m < size; ++m) {
      if (m == link.a || m == link.b) continue;
      if (!lacks.contains(link_between(link.a, m)) && !lacks.contains(link_between(m, link.b))) between.push_back(m);
    }
    if (between.empty()) return {.cut = i};
    for (const std::int32_t m : between) {
      for (const std::int32_t end : {link.a, link.b}) {
        most = std::max(most, passed[link_between(end, m)] += 1.0 / static_cast<double>(between.size()));
      }
    }
  }
  return {.factor = 1 + most};
}

}  // namespace

Detour detour(const Cluster::Dimension& dimension, const std::vector<LinkEnds>& missing) {
  if (missing.empty()) return {};
  switch (dimension.kind) {
    case Cluster::Kind::ring:
      return detour_on_ring(dimension, missing);
    case Cluster::Kind::fully_connected:
      return detour_where_all_are_linked(dimension.size, missing);
    case Cluster::Kind::switched:
      break;
  }
  return {.cut = missing.size() - 1};
}

}  // namespace muster
