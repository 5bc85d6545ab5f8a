// Allreduce by a reduce-scatter among Swing's partners, after which every core multicasts its block of the result: along its row, and then
// the blocks of its row along its column, or at once to all others. log2 P steps and one or two phases of multicasts instead of an allgather
// in log2 P steps. But multicasts whose paths meet follow each other.
#include <algorithm>

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

/// Swing's steps along columns first: so the blocks of a row are contiguous, and each multicast along a column is one message.
std::vector<Matching> steps_along_columns_first(const TorusPlayers& players) {
  std::vector<Matching> steps = matchings(players.columns, players.rows, {});
  std::stable_partition(steps.begin(), steps.end(), [&](const Matching& step) {
    return step[0] / players.columns != 0;  // of the first player, in row 0
  });
  return steps;
}

void write_multicast_allgather(ScheduleBuilder& b, const Request& request, const Parameters& parameters) {
  const Torus& torus = *as<Torus>(request.machine);
  const TorusPlayers players = players_of(torus);
  const std::vector<Matching> steps = steps_along_columns_first(players);
  const std::vector<std::int32_t> number = contiguous_order(steps, players.count());
  const TileBlocks cut(request, {0, tiles_of(request)}, {.blocks = players.count()});
  const BlockExchange exchange(
      b, players, steps, [&](std::int32_t player) -> std::vector<Range> { return {cut.cell(0, number[at(player)])}; });
  TileRounds rounds = fold_rounds(players, b.span({0, request.count}));
  append(rounds, exchange.reduce_scatter());
  RoundWriter writer(b, request);
  writer.write({rounds});

  GatheredBlocks blocks{
      .own = std::vector<std::vector<Range>>(at(rank_count(torus))), .held_in = Buffer::output, .first_lane = 1};
  for (NodeId rank = 0; rank < rank_count(torus); ++rank) blocks.after.push_back(writer.newest(kScatterLane, rank));
  for (std::int32_t player = 0; player < players.count(); ++player) {
    const Range range = cut.cell(0, number[at(player)]);
    if (range.count > 0) blocks.own[at(players.ranks[at(player)])] = {range};
  }
  write_multicasts(b, torus, writer.streams(), multicast_phases(parameters), blocks);
}

}  // namespace

Algorithm torus_allreduce_multicast_allgather() {
  return torus_algorithm({.collective = Collective::allreduce,
                          .name = "multicast-allgather",
                          .summary = "reduce-scatter among Swing's partners, then every core multicasts its block",
                          .source = "ours",
                          .parameters = {multicast_phases_parameter()}},
                         write_multicast_allgather);
}

}  // namespace muster
