// Barriers: tokens of one word.
//
//   dissemination  in round k, rank i sends what it has to rank i + 2^k: log2 P rounds, rounded up, for any number of ranks.
//   swing          as an allreduce: log2 P steps with partners nearby, and two more for each axis that is folded.
//   multicast      a tree to one rank, which tells all others by a multicast.
#include "collective/algorithms.h"
#include "collective/torus/exchanges.h"
#include "collective/torus/multicasts.h"
#include "collective/torus/tokens.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

TileRounds dissemination(const Request& request, SpanId token) {
  const NodeId ranks = rank_count(request.machine);
  TileRounds rounds;
  for (int k = 0; k < dissemination_rounds(ranks); ++k) {
    TileRound& round = rounds.emplace_back();
    for (NodeId rank = 0; rank < ranks; ++rank) {
      round.push_back({.from = rank, .to = (rank + (NodeId{1} << k)) % ranks, .what = token, .combine = true});
    }
  }
  return rounds;
}

TileRounds swing(const Request& request, SpanId token) {
  const TorusPlayers players = players_of(*as<Torus>(request.machine));
  TileRounds rounds = fold_rounds(players, token);
  append(rounds, doubling_rounds(players, matchings(players.columns, players.rows, {}), token));
  append(rounds, unfold_rounds(players, token));
  return rounds;
}

Algorithm barrier(Algorithm named, TileRounds (*rounds)(const Request&, SpanId token)) {
  named.collective = Collective::barrier;
  return torus_algorithm(std::move(named), [rounds](ScheduleBuilder& b, const Request& request, const Parameters&) {
    RoundWriter(b, request).write({rounds(request, b.span({0, request.count}))});
  });
}

void write_barrier_with_multicast(ScheduleBuilder& b, const Request& request) {
  constexpr NodeId kRoot = 0;
  const Torus& torus = *as<Torus>(request.machine);
  const TorusPlayers players = players_of(torus);
  const SpanId token = b.span({0, request.count});
  TileRounds rounds = fold_rounds(players, token);
  append(rounds, to_root_rounds(players, matchings(players.columns, players.rows, {}), token, kRoot));
  RoundWriter writer(b, request);
  writer.write({rounds});
  write_multicast(b, torus, writer.streams(), {.from = kRoot, .what = token, .sent = Buffer::output});
}

}  // namespace

Algorithm torus_barrier_dissemination() {
  return barrier({.name = "dissemination",
                  .summary = "in round k, every tile tells the one 2^k after it",
                  .source = "Hensgen, Finkel and Manber, Two algorithms for barrier synchronization (1988)"},
                 dissemination);
}

Algorithm torus_barrier_swing() {
  return barrier({.name = "swing",
                  .summary = "tokens between Swing's partners",
                  .source = "Implementation of Allreduce algorithms on the Tenstorrent Wormhole n150, chapter 5"},
                 swing);
}

Algorithm torus_barrier_multicast() {
  return torus_algorithm(
      {.collective = Collective::barrier,
       .name = "multicast",
       .summary = "a tree to one tile, which tells all others by a multicast",
       .source = "ours"},
      [](ScheduleBuilder& b, const Request& request, const Parameters&) { write_barrier_with_multicast(b, request); });
}

}  // namespace muster
