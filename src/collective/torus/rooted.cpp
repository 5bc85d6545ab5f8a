// Reduce and broadcast along trees of pairwise steps (matchings.h), to or from any root.
//
//   swing, recursive-doubling  a binomial tree: log2 P steps of the whole vector. In a reduce, half of the cores send in the first step, to
//                              their nearest partners, and the farthest partners come last; in a broadcast, the other way round.
//   swing-scatter-gather       reduce: a reduce-scatter, then a gather; the root receives its vector only twice.
//   swing-scatter-allgather    broadcast: a scatter, then an allgather.
//   multicast                  broadcast: the network copies the root's message.
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/exchanges.h"
#include "collective/torus/multicasts.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

const char* const kBinomial = "binomial trees over the partners of Swing (NSDI 2024) or of recursive doubling";

/// What rounds are made from, for a request with a root.
struct Rooted {
  Rooted(const Request& request, PartnerRule rule)
      : root(request.root),
        players(with_player(players_of(*as<Torus>(request.machine)), request.root)),
        steps(matchings(players.columns, players.rows, {.rule = rule})) {}
  NodeId root;
  TorusPlayers players;
  std::vector<Matching> steps;
};

using ChunkRounds = TileRounds (*)(ScheduleBuilder&, const Rooted&, const TileBlocks&, std::int64_t chunk);

BlockExchange block_exchange(ScheduleBuilder& b, const Rooted& rooted, const TileBlocks& cut, std::int64_t chunk) {
  const std::vector<std::int32_t> number = contiguous_order(rooted.steps, rooted.players.count());
  return {b, rooted.players, rooted.steps,
          [&](std::int32_t player) -> std::vector<Range> { return {cut.cell(chunk, number[at(player)])}; }};
}

TileRounds reduce_tree_rounds(ScheduleBuilder& b, const Rooted& rooted, const TileBlocks& cut, std::int64_t chunk) {
  const SpanId what = b.span(cut.chunk(chunk));
  TileRounds rounds = fold_rounds(rooted.players, what);
  append(rounds, to_root_rounds(rooted.players, rooted.steps, what, rooted.root));
  return rounds;
}

TileRounds reduce_blocks_rounds(ScheduleBuilder& b, const Rooted& rooted, const TileBlocks& cut, std::int64_t chunk) {
  const BlockExchange exchange = block_exchange(b, rooted, cut, chunk);
  TileRounds rounds = fold_rounds(rooted.players, b.span(cut.chunk(chunk)));
  append(rounds, exchange.reduce_scatter());
  append(rounds, exchange.gather(rooted.root));
  return rounds;
}

TileRounds broadcast_tree_rounds(ScheduleBuilder& b, const Rooted& rooted, const TileBlocks& cut, std::int64_t chunk) {
  const SpanId what = b.span(cut.chunk(chunk));
  TileRounds rounds = from_root_rounds(rooted.players, rooted.steps, what, rooted.root);
  append(rounds, unfold_rounds(rooted.players, what));
  return rounds;
}

TileRounds broadcast_blocks_rounds(ScheduleBuilder& b, const Rooted& rooted, const TileBlocks& cut,
                                   std::int64_t chunk) {
  const BlockExchange exchange = block_exchange(b, rooted, cut, chunk);
  TileRounds rounds = exchange.scatter(rooted.root);
  append(rounds, exchange.allgather());
  for (TileRound& round : rounds) {
    std::erase_if(round, [&](const TileMessage& message) { return message.to == rooted.root; });
  }
  append(rounds, unfold_rounds(rooted.players, b.span(cut.chunk(chunk))));
  return rounds;
}

/// The root's own copy of what it broadcasts, in the lane that has sent it: input and output may be the same memory.
void copy_at_root(ScheduleBuilder& b, const Request& request, Range chunk, std::int64_t lane) {
  if (chunk.count == 0) return;
  b.step(request.root, b.span(chunk), static_cast<std::int32_t>(lane)).own(Buffer::input).store(Buffer::output);
}

Algorithm rooted(Algorithm named, PartnerRule rule, ChunkRounds rounds_of) {
  named.parameters = {chunks_parameter_of_tiles()};
  return torus_algorithm(
      std::move(named), [rule, rounds_of](ScheduleBuilder& b, const Request& request, const Parameters& parameters) {
        const Rooted plan(request, rule);
        const std::int64_t chunks = parameters.at("chunks");
        const TileBlocks cut(request, {0, tiles_of(request)}, {.blocks = plan.players.count(), .chunks = chunks});
        std::vector<TileRounds> rounds;
        for (std::int64_t c = 0; c < chunks; ++c) rounds.push_back(rounds_of(b, plan, cut, c));
        RoundWriter(b, request).write(rounds);
        if (request.collective != Collective::broadcast) return;
        for (std::int64_t c = 0; c < chunks; ++c) copy_at_root(b, request, cut.chunk(c), c);
      });
}

}  // namespace

Algorithm torus_reduce_tree(PartnerRule rule) {
  const bool is_swing = rule == PartnerRule::swing;
  return rooted({.collective = Collective::reduce,
                 .name = is_swing ? "swing" : "recursive-doubling",
                 .summary = is_swing ? "a binomial tree of Swing's partners" : "a binomial tree of doubling distances",
                 .source = kBinomial},
                rule, reduce_tree_rounds);
}

Algorithm torus_reduce_scatter_gather() {
  return rooted({.collective = Collective::reduce,
                 .name = "swing-scatter-gather",
                 .summary = "reduce-scatter among Swing's partners, then a gather",
                 .source = kBinomial},
                PartnerRule::swing, reduce_blocks_rounds);
}

Algorithm torus_broadcast_tree(PartnerRule rule) {
  const bool is_swing = rule == PartnerRule::swing;
  return rooted({.collective = Collective::broadcast,
                 .name = is_swing ? "swing" : "recursive-doubling",
                 .summary = is_swing ? "a binomial tree of Swing's partners" : "a binomial tree of halving distances",
                 .source = kBinomial},
                rule, broadcast_tree_rounds);
}

Algorithm torus_broadcast_scatter_allgather() {
  return rooted({.collective = Collective::broadcast,
                 .name = "swing-scatter-allgather",
                 .summary = "a scatter among Swing's partners, then an allgather",
                 .source = kBinomial},
                PartnerRule::swing, broadcast_blocks_rounds);
}

Algorithm torus_broadcast_multicast() {
  return torus_algorithm({.collective = Collective::broadcast,
                          .name = "multicast",
                          .summary = "the network copies the root's message to all tiles of the grid",
                          .source = "ours"},
                         [](ScheduleBuilder& b, const Request& request, const Parameters&) {
                           TileStreams streams(b, request);
                           write_multicast(b, *as<Torus>(request.machine), streams,
                                           {.from = request.root, .what = b.span({0, request.count})});
                         });
}

}  // namespace muster
