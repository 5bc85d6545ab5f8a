// Multiport Swing: four parts of the vector at once, so that both NoCs and both axes are used in every step.
//
// Parts 0 and 1 begin with a horizontal step, parts 2 and 3 with a vertical one; 1 and 3 are mirrored: who sends east in part 0 sends west in
// part 1. So a core sends in four directions at once, and each part has its links for itself in the first steps. As for Swing, each
// part is exchanged in blocks (bandwidth-optimal) or as a whole (latency-optimal).
#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/allreduce_rounds.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/torus_algorithm.h"

namespace muster {
namespace {

constexpr std::int64_t kParts = 4;
constexpr std::int64_t kMostChunks = 8;  ///< of each part

StepOrder order_of_part(std::int64_t part) { return {.vertical_first = part >= 2, .mirrored = part % 2 == 1}; }

/// Rounds of each chunk of one part.
std::vector<TileRounds> part_rounds(ScheduleBuilder& b, const Request& request, const TorusPlayers& players,
                                    std::int64_t part, const Parameters& parameters) {
  const std::vector<Matching> steps = matchings(players.columns, players.rows, order_of_part(part));
  const std::vector<std::int32_t> number = contiguous_order(steps, players.count());
  const auto halvings = parameters.find("halvings");
  // Blocks that are larger than others are those of other players in every part.
  return allreduce_rounds(b, request,
                          {.players = players,
                           .steps = steps,
                           .number = number,
                           .halvings = halvings == parameters.end() ? 0 : at(halvings->second),
                           .tiles = block(tiles_of(request), kParts, part),
                           .chunks = parameters.at("chunks"),
                           .phase = part * players.count() / kParts});
}

Algorithm multiport(Algorithm named, bool in_blocks) {
  named.collective = Collective::allreduce;
  named.source = "Swing: Short-cutting Rings for Higher Bandwidth Allreduce (NSDI 2024), section 4";
  named.parameters = {chunks_parameter_of_tiles(kMostChunks)};
  if (in_blocks) named.parameters.push_back(halvings_parameter(kParts));
  named.parameters.push_back(chunk_steps_parameter());
  return torus_algorithm(std::move(named),
                         [](ScheduleBuilder& b, const Request& request, const Parameters& parameters) {
                           const TorusPlayers players = players_of(*as<Torus>(request.machine));
                           std::vector<TileRounds> rounds;
                           for (std::int64_t part = 0; part < kParts; ++part) {
                             for (TileRounds& of_chunk : part_rounds(b, request, players, part, parameters)) {
                               rounds.push_back(std::move(of_chunk));
                             }
                           }
                           RoundWriter(b, request, chunk_steps(parameters)).write(rounds);
                         });
}

}  // namespace

Algorithm torus_allreduce_multiport_swing() {
  return multiport({.name = "multiport-swing",
                    .summary = "Swing on four parts of the vector at once: both axes and both NoCs in every step"},
                   true);
}

Algorithm torus_allreduce_multiport_swing_latency() {
  return multiport({.name = "multiport-swing-latency",
                    .summary = "latency-optimal Swing on four parts of the vector at once, on both axes and both NoCs"},
                   false);
}

}  // namespace muster
