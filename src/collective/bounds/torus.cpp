// Bounds of a network-on-chip, for any schedule. A link and an interface carry one flit per cycle on each of the two NoCs; only cores combine.
// A word of a message stands for one element, whatever was combined in it.
//
// Port. What must enter or leave one core, at two flits per cycle:
//   reduce, broadcast          the vector enters the root, or every other core
//   reduce-scatter             each word of a core's vector leaves it, but for the core's own block
//   allgather                  all other blocks enter each core
//   all-to-all                 all other blocks enter each core
//   allreduce                  for each element, P - 1 words enter cores until one core knows the result: each other core's contribution
//                              must have entered another core, and no word is what two cores sent. Then P - 1 cores have yet to receive
//                              it. So 2 (P - 1) words enter P cores, however they are copied on the way.
//
// Cut. What must enter a rectangle of w x h tiles, over the links into it: h from the west and w from the north on NoC 0, h from the east and
// w from the south on NoC 1; none where it goes all the way around. The same holds for what must leave it.
//
// Distance. A word takes the memory's and two interfaces' latency, and a hop's for every hop of one NoC; or it is relayed by another tile, from
// one NoC to the other, and then takes the latencies of memory and interfaces twice, and at least the hops of the nearer way on each axis.
#include "machine/torus.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/index.h"
#include "collective/bounds/bound.h"
#include "schedule/arithmetic.h"
#include "schedule/span.h"

namespace muster {
namespace {

double flits_of(const Torus& torus, double words) {
  return words * sizeof(Word) / static_cast<double>(torus.flit.value());
}

Cycles whole_cycles(double cycles) { return Cycles(static_cast<std::int64_t>(std::min(std::floor(cycles), 4e18))); }

std::int64_t block_words(const Request& request, NodeId rank) {
  return block(request.count, rank_count(*as<Torus>(request.machine)), rank).count;
}

/// Words that must pass the busiest core's interface in one direction; 0: none is known.
double port_words(const Request& request) {
  const auto count = static_cast<double>(request.count);
  const NodeId ranks = rank_count(*as<Torus>(request.machine));
  switch (request.collective) {
    case Collective::reduce:
    case Collective::broadcast:
      return count;
    case Collective::reduce_scatter:
    case Collective::allgather:
    case Collective::all_to_all:
      return count - static_cast<double>(block_words(request, ranks - 1));  // no block is smaller
    case Collective::allreduce:
      return count * 2 * (ranks - 1) / ranks;
    default:
      return 0;
  }
}

/// Ranks and their blocks' words in a part of the grid.
struct Inside {
  std::int64_t ranks = 0;
  std::int64_t words = 0;
};

/// Words that must cross the border of a part, in the direction in which more do.
double crossing_words(const Request& request, const Inside& inside) {
  const NodeId ranks = rank_count(*as<Torus>(request.machine));
  if (inside.ranks == 0 || inside.ranks == ranks) return 0;
  switch (request.collective) {
    case Collective::reduce:
    case Collective::broadcast:
    case Collective::allreduce:
      return static_cast<double>(request.count);
    case Collective::reduce_scatter:
    case Collective::allgather:
      return static_cast<double>(std::max(inside.words, request.count - inside.words));
    case Collective::all_to_all:
      return static_cast<double>(inside.ranks) * static_cast<double>(ranks - inside.ranks) *
             static_cast<double>(block_words(request, ranks - 1));
    default:
      return 0;
  }
}

/// Ranks and words in `width` columns from `x` on, around the edge, for each row.
std::vector<Inside> rows_of(const Request& request, std::int32_t x, std::int32_t width) {
  const Torus& torus = *as<Torus>(request.machine);
  std::vector<Inside> rows(at(torus.height));
  for (NodeId rank = 0; rank < rank_count(torus); ++rank) {
    const Coordinates tile = coordinates_of(torus, rank);
    if ((tile.x - x + torus.width) % torus.width >= width) continue;
    ++rows[at(tile.y)].ranks;
    rows[at(tile.y)].words += block_words(request, rank);
  }
  return rows;
}

/// The most flits per link into a rectangle, of all that have these columns.
double most_flits_per_link(const Request& request, std::int32_t x, std::int32_t width) {
  const Torus& torus = *as<Torus>(request.machine);
  const std::vector<Inside> rows = rows_of(request, x, width);
  double most = 0;
  for (std::int32_t y = 0; y < torus.height; ++y) {
    Inside inside;
    for (std::int32_t height = 1; height <= torus.height; ++height) {
      const Inside& row = rows[at((y + height - 1) % torus.height)];
      inside.ranks += row.ranks;
      inside.words += row.words;
      const std::int32_t links = (width < torus.width ? 2 * height : 0) + (height < torus.height ? 2 * width : 0);
      if (links > 0) most = std::max(most, flits_of(torus, crossing_words(request, inside)) / links);
    }
  }
  return most;
}

std::int64_t nearer_way(std::int32_t a, std::int32_t b, std::int32_t size) {
  const std::int32_t there = (b - a + size) % size;
  return std::min(there, size - there);
}

/// Of the first bit of a message.
std::int64_t least_latency(const Torus& torus, NodeId from, NodeId to) {
  const std::int64_t fixed = torus.interface.memory_latency.value() + 2 * torus.interface_latency.value();
  const std::int64_t direct = std::min(hops_on(torus, 0, from, to), hops_on(torus, 1, from, to));
  const Coordinates a = coordinates_of(torus, from), b = coordinates_of(torus, to);
  const std::int64_t relayed = nearer_way(a.x, b.x, torus.width) + nearer_way(a.y, b.y, torus.height);
  const std::int64_t hop = torus.hop_latency.value();
  return std::min(fixed + direct * hop, 2 * fixed + relayed * hop);
}

/// Whether something of rank `from` must reach rank `to`.
bool must_reach(const Request& request, NodeId from, NodeId to) {
  switch (request.collective) {
    case Collective::reduce:
      return to == request.root;
    case Collective::broadcast:
      return from == request.root;
    case Collective::reduce_scatter:
      return block_words(request, to) > 0;
    case Collective::allgather:
      return block_words(request, from) > 0;
    case Collective::allreduce:
    case Collective::all_to_all:
    case Collective::barrier:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<Bound> bound_torus_port(const Request& request) {
  const Torus& torus = *as<Torus>(request.machine);
  const double words = rank_count(torus) == 1 ? 0 : port_words(request);
  if (words == 0) return std::nullopt;
  return Bound{.name = "port",
               .proves = request.collective == Collective::allreduce
                             ? "any schedule: 2 (P - 1) words per element enter P cores, one flit per cycle and NoC"
                             : "any schedule: what must enter or leave one core, one flit per cycle and NoC",
               .cycles = whole_cycles(flits_of(torus, words) / 2)};
}

std::optional<Bound> bound_torus_cut(const Request& request) {
  const Torus& torus = *as<Torus>(request.machine);
  double most = 0;
  for (std::int32_t x = 0; x < torus.width; ++x) {
    for (std::int32_t width = 1; width <= torus.width; ++width) {
      most = std::max(most, most_flits_per_link(request, x, width));
    }
  }
  if (most == 0) return std::nullopt;
  return Bound{.name = "cut",
               .proves = "any schedule: what must enter or leave a rectangle of tiles, over the links of both NoCs",
               .cycles = whole_cycles(most)};
}

std::optional<Bound> bound_torus_distance(const Request& request) {
  const Torus& torus = *as<Torus>(request.machine);
  std::int64_t longest = 0;
  for (NodeId from = 0; from < rank_count(torus); ++from) {
    for (NodeId to = 0; to < rank_count(torus); ++to) {
      if (from != to && must_reach(request, from, to)) longest = std::max(longest, least_latency(torus, from, to));
    }
  }
  if (longest == 0) return std::nullopt;
  return Bound{
      .name = "distance",
      .proves = "any schedule: the latency between the farthest tiles, on the nearer NoC or relayed between NoCs",
      .cycles = Cycles(longest)};
}

}  // namespace muster
