// Allreduce by a reduce-scatter among Swing's partners, after which every core multicasts its block of the result: log2 P steps and one
// multicast instead of an allgather in log2 P steps. But every core receives P - 1 messages, and multicasts reserve paths one after another.
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/exchanges.h"
#include "collective/torus/multicasts.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/torus_algorithm.h"
#include "machine/routing.h"

namespace muster {
namespace {

constexpr std::int32_t kScatterLane = 0;

void write_multicast_allgather(ScheduleBuilder& b, const Request& request) {
  const Torus& torus = *as<Torus>(request.machine);
  const TorusPlayers players = players_of(torus);
  const std::vector<Matching> steps = matchings(players.columns, players.rows, {});
  const std::vector<std::int32_t> number = contiguous_order(steps, players.count());
  const TileBlocks cut(request, {0, tiles_of(request)}, {.blocks = players.count()});
  const BlockExchange exchange(
      b, players, steps, [&](std::int32_t player) -> std::vector<Range> { return {cut.cell(0, number[at(player)])}; });
  TileRounds rounds = fold_rounds(players, b.span({0, request.count}));
  append(rounds, exchange.reduce_scatter());
  RoundWriter writer(b, request);
  writer.write({rounds});

  MulticastToAll message{.sent = Buffer::output};
  for (NodeId rank = 0; rank < rank_count(torus); ++rank) message.after.push_back(writer.newest(kScatterLane, rank));
  for (std::int32_t player = 0; player < players.count(); ++player) {
    const Range range = cut.cell(0, number[at(player)]);
    if (range.count == 0) continue;
    message.from = players.ranks[at(player)];
    message.what = b.span(range);
    message.noc = player % 2;
    message.lane = kScatterLane + 1 + player;
    write_multicast(b, torus, writer.streams(), message);
  }
}

}  // namespace

Algorithm torus_allreduce_multicast_allgather() {
  return torus_algorithm(
      {.collective = Collective::allreduce,
       .name = "multicast-allgather",
       .summary = "reduce-scatter among Swing's partners, then every core multicasts its block",
       .source = "ours"},
      [](ScheduleBuilder& b, const Request& request, const Parameters&) { write_multicast_allgather(b, request); });
}

}  // namespace muster
