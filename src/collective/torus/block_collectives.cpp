// Collectives whose blocks the contract prescribes, block i for rank i: reduce-scatter and allgather.
//
//   swing, recursive-doubling  pairwise exchanges (exchanges.h): log2 P steps. A rank that is folded leaves its block to the one that it
//                              is folded into, and gets it, or all blocks, from there.
//   ring                       P - 1 steps around the ring of all ranks on NoC 0.
//   multicast                  allgather: the network copies everybody's block to all; half of them on each NoC (multicasts.h).
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/multicasts.h"
#include "collective/torus/placement.h"
#include "collective/torus/rings.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

constexpr std::int32_t kLane = 0;
const char* const kExchanges = "the halves of Swing's or recursive doubling's bandwidth-optimal allreduce";

Range block_of_rank(const Request& request, NodeId rank) {
  return block(request.count, rank_count(request.machine), rank);
}

/// The blocks of a rank and of those that are folded into it.
SpanId represented_blocks(ScheduleBuilder& b, const Request& request, const TorusPlayers& players, NodeId rank) {
  std::vector<Range> ranges;
  for (const NodeId each : represented_by(players, rank)) ranges.push_back(block_of_rank(request, each));
  return b.span(ranges);
}

std::vector<TileRounds> exchange_rounds(ScheduleBuilder& b, const Request& request, const Parameters& parameters,
                                        PartnerRule rule) {
  const Torus& torus = *as<Torus>(request.machine);
  TorusPlayers players = players_of(torus);
  const std::vector<Matching> steps = matchings(players.columns, players.rows, {.rule = rule});
  if (is_placed_near(parameters)) {
    std::vector<double> bytes;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      bytes.push_back(static_cast<double>(request.count) * sizeof(std::uint32_t) / static_cast<double>(2ULL << k));
    }
    players = near_players(torus, std::move(players), steps, bytes);
  }
  const auto blocks_of = [&](NodeId rank) { return represented_blocks(b, request, players, rank); };
  const BlockExchange exchange(b, players, steps, [&](std::int32_t player) {
    const auto ranges = b.spans().ranges(blocks_of(players.ranks[at(player)]));
    return std::vector<Range>(ranges.begin(), ranges.end());
  });
  const SpanId all = b.span({0, request.count});
  TileRounds rounds;
  if (request.collective == Collective::reduce_scatter) {
    append(rounds, fold_rounds(players, all));
    append(rounds, exchange.reduce_scatter());
    append(rounds, hand_out_rounds(players, blocks_of));
  } else {
    append(rounds, collect_rounds(players, blocks_of));
    append(rounds, exchange.allgather());
    append(rounds, unfold_rounds(players, all));
  }
  return {rounds};
}

std::vector<TileRounds> ring_rounds(ScheduleBuilder& b, const Request& request, const Parameters& /*parameters*/) {
  Ring ring{.ranks = ring_of_all(rank_count(request.machine), 0), .blocks = {}};
  for (const NodeId rank : ring.ranks) ring.blocks.push_back(b.span(block_of_rank(request, rank)));
  return {request.collective == Collective::reduce_scatter ? ring_reduce_scatter(ring, Buffer::input)
                                                           : ring_allgather(ring)};
}

void copy_blocks(RoundWriter& writer, ScheduleBuilder& b, const Request& request) {
  for (NodeId rank = 0; rank < rank_count(request.machine); ++rank) {
    writer.copy_input(kLane, rank, b.span(block_of_rank(request, rank)));
  }
}

using RoundsOfBlocks = std::function<std::vector<TileRounds>(ScheduleBuilder&, const Request&, const Parameters&)>;

Algorithm of_blocks(Algorithm named, RoundsOfBlocks rounds) {
  return torus_algorithm(std::move(named), [rounds = std::move(rounds)](ScheduleBuilder& b, const Request& request,
                                                                        const Parameters& parameters) {
    RoundWriter writer(b, request);
    if (request.collective == Collective::allgather) copy_blocks(writer, b, request);
    writer.write(rounds(b, request, parameters));
  });
}

void write_blocks_by_multicast(ScheduleBuilder& b, const Request& request, const Parameters& parameters) {
  TileStreams streams(b, request);
  GatheredBlocks blocks;
  for (NodeId rank = 0; rank < rank_count(request.machine); ++rank) {
    blocks.own.push_back({block_of_rank(request, rank)});
  }
  write_multicasts(b, *as<Torus>(request.machine), streams, multicast_phases(parameters), blocks);
}

}  // namespace

Algorithm torus_of_blocks_exchange(Collective collective, PartnerRule rule) {
  const bool is_swing = rule == PartnerRule::swing;
  Algorithm named{.collective = collective,
                  .name = is_swing ? "swing" : "recursive-doubling",
                  .summary = is_swing ? "pairwise exchanges with partners left and right in turn"
                                      : "pairwise exchanges with partners at doubling distances",
                  .source = kExchanges};
  if (!is_swing) named.parameters.push_back(placement_parameter());
  return of_blocks(std::move(named), [rule](ScheduleBuilder& b, const Request& request, const Parameters& parameters) {
    return exchange_rounds(b, request, parameters, rule);
  });
}

Algorithm torus_of_blocks_ring(Collective collective) {
  return of_blocks({.collective = collective,
                    .name = "ring",
                    .summary = "blocks go around a ring of all tiles, on NoC 0",
                    .source = "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms (2009)"},
                   ring_rounds);
}

Algorithm torus_allgather_multicast() {
  return torus_algorithm({.collective = Collective::allgather,
                          .name = "multicast",
                          .summary = "the network copies everybody's block to all tiles, half of them on each NoC",
                          .source = "ours",
                          .parameters = {multicast_phases_parameter()}},
                         write_blocks_by_multicast);
}

}  // namespace muster
