// Allreduce by rings: a reduce-scatter around the ring, then an allgather around it.
//
//   ring               all ranks, row by row, on NoC 0: 2 (P - 1) steps of a block, and one message at a time on every link.
//   ring-both          two rings, with half of the vector each: the other one goes backwards, on NoC 1.
//   rows-then-columns  reduce-scatters around all rows, then around all columns, and allgathers back: 2 (W + H - 2) steps. The other half
//                      of the vector goes around the columns first, on NoC 1.
// Every core sends 2 (P - 1) / P of the vector.
#include <algorithm>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/rings.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

constexpr std::int64_t kMostChunks = 4;  ///< rings have many steps already

/// A part of the vector in chunks, on one NoC.
struct Part {
  TileBlocks cut;
  int noc = 0;
};

/// The vector in one part for NoC 0, and a second one for NoC 1 if both are used. Larger blocks of the parts are those of other ranks.
std::vector<Part> parts_of(const Request& request, std::int64_t chunks, int nocs) {
  const std::int64_t ranks = rank_count(request.machine);
  std::vector<Part> parts;
  for (int noc = 0; noc < nocs; ++noc) {
    const Range tiles = block(tiles_of(request), nocs, noc);
    parts.push_back({TileBlocks(request, tiles, {.blocks = ranks, .chunks = chunks, .phase = noc * ranks / 2}), noc});
  }
  return parts;
}

void write_ring(ScheduleBuilder& b, const Request& request, std::int64_t chunks, int nocs) {
  std::vector<TileRounds> rounds;
  for (const Part& part : parts_of(request, chunks, nocs)) {
    Ring ring{.ranks = ring_of_all(rank_count(request.machine), part.noc), .blocks = {}, .noc = part.noc};
    for (std::int64_t c = 0; c < chunks; ++c) {
      ring.blocks.clear();
      for (std::size_t i = 0; i < ring.ranks.size(); ++i) {
        ring.blocks.push_back(b.span(part.cut.cell(c, static_cast<std::int64_t>(i))));
      }
      append(rounds.emplace_back(), ring_reduce_scatter(ring, Buffer::input));
      append(rounds.back(), ring_allgather(ring));
    }
  }
  RoundWriter(b, request).write(rounds);
}

/// Rings along rows or columns of one chunk.
class AxisRings {
 public:
  AxisRings(ScheduleBuilder& builder, const Torus& torus, const Part& part, std::int64_t chunk)
      : b_(builder), columns_(used_columns(torus)), rows_(used_rows(torus)), part_(part), chunk_(chunk) {}

  TileRounds allreduce() {
    const bool columns_first = part_.noc == 1;
    std::vector<Ring> first, second;
    for (std::int32_t i = 0; i < (columns_first ? columns_ : rows_); ++i) first.push_back(whole(i, columns_first));
    for (std::int32_t i = 0; i < (columns_first ? rows_ : columns_); ++i) second.push_back(share(i, !columns_first));
    TileRounds rounds = together(first, [](const Ring& ring) { return ring_reduce_scatter(ring, Buffer::input); });
    const Buffer held_in = rounds.empty() ? Buffer::input : Buffer::output;
    append(rounds, together(second, [&](const Ring& ring) { return ring_reduce_scatter(ring, held_in); }));
    append(rounds, together(second, ring_allgather));
    append(rounds, together(first, ring_allgather));
    return rounds;
  }

 private:
  template <class Rounds>
  static TileRounds together(const std::vector<Ring>& rings, Rounds rounds_of) {
    TileRounds rounds;
    for (const Ring& ring : rings) join(rounds, rounds_of(ring));
    return rounds;
  }

  /// The ranks of column or row `index`, in the order of the NoC.
  [[nodiscard]] std::vector<NodeId> line(std::int32_t index, bool column) const {
    std::vector<NodeId> ranks;
    for (std::int32_t i = 0; i < (column ? rows_ : columns_); ++i) {
      ranks.push_back(column ? i * columns_ + index : index * columns_ + i);
    }
    if (part_.noc == 1) std::reverse(ranks.begin(), ranks.end());
    return ranks;
  }

  /// Of the line of `rank` across the ring's: the blocks of a chunk lie line by line, so that those of each line of the second rings are
  /// contiguous.
  [[nodiscard]] Range block_of(NodeId rank) const {
    const std::int64_t x = rank % columns_, y = rank / columns_;
    const bool by_column = part_.noc == 0;
    return part_.cut.cell(chunk_, by_column ? x * rows_ + y : y * columns_ + x);
  }

  /// A first ring: each of its ranks is responsible for all blocks of the line across it.
  Ring whole(std::int32_t index, bool column) {
    Ring ring{.ranks = line(index, column), .blocks = {}, .noc = part_.noc};
    for (const NodeId rank : ring.ranks) {
      std::vector<Range> ranges;
      std::vector<NodeId> across = line(column ? rank / columns_ : rank % columns_, !column);
      std::sort(across.begin(), across.end());
      for (const NodeId other : across) ranges.push_back(block_of(other));
      ring.blocks.push_back(b_.span(ranges));
    }
    return ring;
  }

  Ring share(std::int32_t index, bool column) {
    Ring ring{.ranks = line(index, column), .blocks = {}, .noc = part_.noc};
    for (const NodeId rank : ring.ranks) ring.blocks.push_back(b_.span(block_of(rank)));
    return ring;
  }

  ScheduleBuilder& b_;
  std::int32_t columns_;
  std::int32_t rows_;
  const Part& part_;
  std::int64_t chunk_;
};

void write_rows_then_columns(ScheduleBuilder& b, const Request& request, std::int64_t chunks) {
  const Torus& torus = *as<Torus>(request.machine);
  std::vector<TileRounds> rounds;
  for (const Part& part : parts_of(request, chunks, 2)) {
    for (std::int64_t c = 0; c < chunks; ++c) rounds.push_back(AxisRings(b, torus, part, c).allreduce());
  }
  RoundWriter(b, request).write(rounds);
}

Algorithm ring_allreduce(Algorithm named, int nocs) {
  named.collective = Collective::allreduce;
  named.parameters = {chunks_parameter_of_tiles(kMostChunks)};
  return torus_algorithm(std::move(named), [nocs](ScheduleBuilder& b, const Request& request, const Parameters& p) {
    write_ring(b, request, p.at("chunks"), nocs);
  });
}

}  // namespace

Algorithm torus_allreduce_ring() {
  return ring_allreduce({.name = "ring",
                         .summary = "reduce-scatter and allgather around a ring of all tiles, on NoC 0",
                         .source = "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms (2009)"},
                        1);
}

Algorithm torus_allreduce_ring_both() {
  return ring_allreduce({.name = "ring-both",
                         .summary = "two rings with half of the vector each, in opposite directions, one on each NoC",
                         .source = "ours"},
                        2);
}

Algorithm torus_allreduce_rows_then_columns() {
  Algorithm named{
      .collective = Collective::allreduce,
      .name = "rows-then-columns",
      .summary = "rings along rows, then columns, and back; the other half of the vector along columns first",
      .source = "ours",
      .parameters = {chunks_parameter_of_tiles(kMostChunks)}};
  named.unsupported = needs_full_grid;
  return torus_algorithm(std::move(named), [](ScheduleBuilder& b, const Request& request, const Parameters& p) {
    write_rows_then_columns(b, request, p.at("chunks"));
  });
}

}  // namespace muster
