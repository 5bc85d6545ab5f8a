// Distance plus port: a processor's ramp carries one word per cycle and direction, and every word must travel its distance.
//
// Let N(d) words that must leave one processor, each in a wavelet of its own, be for processors at least d hops away.
// The last of them enters the ramp in cycle N(d) - 1 or later; two ramps, d hops and one cycle to handle it follow:
//
//   T >= N(d) + h d + 2 T_R    for every d.
//
// The same holds for N(d) words that must enter one processor from at least d hops away: none of them can be taken
// before cycle h d + 2 T_R, and then one per cycle. Which words these are, by collective:
//
//   reduce          each word of the PE that is farthest from the root leaves it (alone or in a sum, but in its own wavelet)
//   broadcast       each word enters the PE that is farthest from the root
//   allreduce       as a reduce whose root is the farthest PE of a corner
//   barrier         the same with one token
//   reduce-scatter  each word of a corner's vector leaves it, for the PE that owes it
//   allgather       each word of the others enters a corner; no two of them share a wavelet, since none are combined
//   scatter         each word leaves the root, for the PE that owes it
//   gather          each word enters the root, from the PE that holds it
//   all-to-all      each block of a corner leaves it
//
// A corner has the longest distances; any processor would give a bound. And a processor that has to handle n different words, sending
// or storing each, needs a cycle for each of them: T >= n, with n = B for the root of a scatter or gather and for every PE
// of an allgather or all-to-all, and n its block for a PE of a reduce-scatter. Nothing is assumed about routes, order or additions, except that a wavelet carries words of one element
// (wavelets are not compressed).
#include <algorithm>

#include "base/index.h"
#include "base/saturating.h"
#include "collective/bounds/bound.h"
#include "collective/grid/model.h"
#include "machine/mesh.h"

namespace muster {

namespace {

std::int64_t arrival(const Mesh& mesh, std::int64_t words, std::int64_t hops) {
  const std::int64_t latency = saturating_product(mesh.hop_latency.value(), hops);
  return saturating_sum(words, saturating_sum(latency, 2 * mesh.ramp_latency.value()));
}

/// Max over d of N(d) + h d + 2 T_R, where every processor but `here` sends or gets its own block; but at least `handled`.
std::int64_t blocks(const Mesh& mesh, std::int64_t count, NodeId here, std::int64_t handled) {
  std::vector<std::int64_t> words_at(at(farthest_hops(mesh, here)) + 1, 0);
  const NodeId ranks = rank_count(mesh);
  for (NodeId rank = 0; rank < ranks; ++rank) {
    words_at[at(default_hops(mesh, here, rank))] += block(count, ranks, rank).count;
  }
  std::int64_t most = handled;
  std::int64_t words = 0;
  for (auto hops = static_cast<std::int64_t>(words_at.size()) - 1; hops > 0; --hops) {
    words += words_at[at(hops)];
    if (words > 0) most = std::max(most, arrival(mesh, words, hops));
  }
  return most;
}

std::int64_t blocks_at_the_worst_corner(const Mesh& mesh, std::int64_t count, std::int64_t handled) {
  std::int64_t most = 0;
  for (const std::int32_t x : {0, mesh.width - 1}) {
    for (const std::int32_t y : {0, mesh.height - 1}) {
      most = std::max(most, blocks(mesh, count, node_at(mesh, {.x = x, .y = y}), handled));
    }
  }
  return most;
}

Bound named(const char* proves, std::int64_t cycles) {
  return {.name = "distance plus port", .proves = proves, .cycles = Cycles(cycles)};
}

}  // namespace

std::optional<Bound> bound_distance_plus_port(const Request& request) {
  const Mesh& mesh = *as<Mesh>(request.machine);
  const std::int64_t to_farthest = farthest_hops(mesh, request.root);
  const std::int64_t across = farthest_hops(mesh, 0);
  const std::int64_t count = request.count;
  const std::int64_t largest_block = block(count, rank_count(mesh), 0).count;
  switch (request.collective) {
    case Collective::reduce:
      return named("any reduce: B words leave the farthest PE at one per cycle and travel to the root",
                   arrival(mesh, count, to_farthest));
    case Collective::broadcast:
      return named("any broadcast: B words leave the root at one per cycle and travel to the farthest PE",
                   arrival(mesh, count, to_farthest));
    case Collective::allreduce:
      return named("any allreduce: B words leave a corner at one per cycle and travel to the opposite corner",
                   arrival(mesh, count, across));
    case Collective::scan:
      return named("any scan: B words leave the first PE at one per cycle and travel to the last PE",
                   arrival(mesh, count, across));
    case Collective::barrier:
      return named("any barrier: a token travels from a corner to the opposite corner", arrival(mesh, 1, across));
    case Collective::reduce_scatter:
      return named("any reduce-scatter: a corner sends its words at one per cycle, each to the PE of its block",
                   blocks_at_the_worst_corner(mesh, count, largest_block));
    case Collective::allgather:
      return named(
          "any allgather: a corner stores all words at one per cycle, those of other PEs after they have travelled",
          blocks_at_the_worst_corner(mesh, count, count));
    case Collective::all_to_all:
      return named(
          "any all-to-all: a corner stores all words at one per cycle, those of other PEs after they have travelled",
          blocks_at_the_worst_corner(mesh, count, count));
    case Collective::scatter:
      return named("any scatter: the root handles all words at one per cycle, and those of other PEs must then travel",
                   blocks(mesh, count, request.root, count));
    case Collective::gather:
      return named(
          "any gather: the root stores all words at one per cycle, those of other PEs after they have travelled",
          blocks(mesh, count, request.root, count));
    case Collective::neighbours:
    case Collective::stencil:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace muster
