// Allreduce by pairwise exchanges in log2 P steps, after Swing or recursive doubling (matchings.h).
//
//   latency-optimal    partners exchange whole vectors: log2 P steps, each of the whole vector.
//   bandwidth-optimal  a reduce-scatter, in which messages become half as long from step to step, and an allgather, which goes back:
//                      2 log2 P steps; every core sends and receives 2 (P - 1) / P of the vector.
//   between            the first steps halve messages, and the others exchange what is left as a whole: where there are fewer tiles
//                      than cores, or to save steps.
// On a power of two. Otherwise two more messages of the whole vector for each axis that is folded (players.h).
//
// Busiest link: on an 8x8 torus, Swing's steps have 1, 1, 1, 1, 2, 2 messages on a link, those of recursive doubling 1, 1, 2, 2, 4, 4.
//
// The chunks of a vector are lanes of their own: one is combined while another is sent. The blocks of a vector can be numbered by rank,
// as in the thesis, or so that each message is contiguous; the numbers have no meaning in an allreduce.
#include <numeric>

#include "base/index.h"
#include "collective/algorithms.h"
#include "collective/torus/allreduce_rounds.h"
#include "collective/torus/placement.h"
#include "collective/torus/thesis_times.h"
#include "collective/torus/tile_blocks.h"
#include "collective/torus/torus_algorithm.h"

namespace muster {
namespace {

const char* const kThesis = "Implementation of Allreduce algorithms on the Tenstorrent Wormhole n150, chapters 3 and 5";

ParameterSpec blocks_parameter() {
  return {.name = "blocks",
          .summary = "how blocks are numbered: so that messages are contiguous, or by rank; default: contiguous",
          .by_default = [](const Request&) { return std::int64_t{0}; },
          .least = [](const Request&) { return std::int64_t{0}; },
          .most = [](const Request&) { return std::int64_t{1}; },
          .names = {"contiguous", "by-rank"}};
}

/// Of a message in each step, there and on the way back.
std::vector<double> bytes_of_steps(const Request& request, std::size_t steps, std::size_t halvings) {
  std::vector<double> bytes;
  double whole = static_cast<double>(request.count) * sizeof(std::uint32_t);
  for (std::size_t k = 0; k < steps; ++k) {
    bytes.push_back(whole);  // a half in the reduce-scatter, and a half in the allgather; or all that is left
    if (k < halvings) whole /= 2;
  }
  return bytes;
}

void write_exchanges(ScheduleBuilder& b, const Request& request, const Parameters& parameters, PartnerRule rule) {
  const Torus& torus = *as<Torus>(request.machine);
  const auto given = parameters.find("halvings");
  const std::size_t halvings = given == parameters.end() ? 0 : at(given->second);
  TorusPlayers players = players_of(torus);
  const std::vector<Matching> steps = matchings(players.columns, players.rows, {.rule = rule});
  if (is_placed_near(parameters)) {
    players = near_players(torus, std::move(players), steps, bytes_of_steps(request, steps.size(), halvings));
  }
  std::vector<std::int32_t> number = contiguous_order(steps, players.count());
  const auto by_rank = parameters.find("blocks");
  if (by_rank != parameters.end() && by_rank->second == 1) std::iota(number.begin(), number.end(), 0);
  const std::int64_t chunks = parameters.at("chunks");
  const ExchangedChunks exchanged{.players = players,
                                  .steps = steps,
                                  .number = number,
                                  .halvings = halvings,
                                  .tiles = {0, tiles_of(request)},
                                  .chunks = chunks,
                                  .chunks_are_blocks = chunk_steps(parameters) == ChunkSteps::together};
  RoundWriter(b, request, chunk_steps(parameters)).write(allreduce_rounds(b, request, exchanged));
}

Algorithm latency_optimal(Algorithm named, PartnerRule rule) {
  named.collective = Collective::allreduce;
  named.source = kThesis;
  named.parameters = {chunks_parameter_of_tiles(), chunk_steps_parameter()};
  if (rule == PartnerRule::recursive_doubling) named.parameters.push_back(placement_parameter());
  named.paper_cost = [](const Request& request, const Parameters&) { return thesis_time_of_whole_vectors(request); };
  return torus_algorithm(std::move(named), [rule](ScheduleBuilder& b, const Request& request, const Parameters& p) {
    write_exchanges(b, request, p, rule);
  });
}

Algorithm bandwidth_optimal(Algorithm named, PartnerRule rule) {
  named.collective = Collective::allreduce;
  named.source = kThesis;
  named.parameters = {chunks_parameter_of_tiles(), halvings_parameter(1), chunk_steps_parameter(), blocks_parameter()};
  if (rule == PartnerRule::recursive_doubling) named.parameters.push_back(placement_parameter());
  named.paper_cost = [](const Request& request, const Parameters&) { return thesis_time_of_halved_vectors(request); };
  return torus_algorithm(std::move(named), [rule](ScheduleBuilder& b, const Request& request, const Parameters& p) {
    write_exchanges(b, request, p, rule);
  });
}

}  // namespace

Algorithm torus_allreduce_swing() {
  return bandwidth_optimal(
      {.name = "swing", .summary = "reduce-scatter and allgather with partners left and right in turn, ever farther"},
      PartnerRule::swing);
}

Algorithm torus_allreduce_swing_latency() {
  return latency_optimal(
      {.name = "swing-latency", .summary = "whole vectors with partners left and right in turn, ever farther"},
      PartnerRule::swing);
}

Algorithm torus_allreduce_recursive_doubling() {
  return bandwidth_optimal(
      {.name = "recursive-doubling", .summary = "reduce-scatter and allgather with partners at doubling distances"},
      PartnerRule::recursive_doubling);
}

Algorithm torus_allreduce_recursive_doubling_latency() {
  return latency_optimal(
      {.name = "recursive-doubling-latency", .summary = "whole vectors with partners at doubling distances"},
      PartnerRule::recursive_doubling);
}

}  // namespace muster
