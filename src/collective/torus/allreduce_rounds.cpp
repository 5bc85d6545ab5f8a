#include "collective/torus/allreduce_rounds.h"

#include <algorithm>
#include <bit>

#include "base/index.h"

namespace muster {
namespace {

/// Steps that an allreduce has if none halves.
std::int64_t step_count(const Request& request) {
  const auto players = static_cast<std::uint32_t>(players_of(*as<Torus>(request.machine)).count());
  return std::bit_width(players) - 1;
}

}  // namespace

std::vector<TileRounds> allreduce_rounds(ScheduleBuilder& b, const Request& request, const ExchangedChunks& exchanged) {
  const std::vector<std::int32_t> owned = block_owners(exchanged.steps, exchanged.halvings, exchanged.number);
  const std::int64_t blocks = std::int64_t{1} << exchanged.halvings;
  const std::int64_t chunks = exchanged.chunks;
  const bool by_block = exchanged.chunks_are_blocks && exchanged.halvings > 0;
  const TileBlocks cut(request, exchanged.tiles,
                       {.blocks = blocks, .chunks = by_block ? 1 : chunks, .phase = exchanged.phase % blocks});
  std::vector<TileRounds> rounds(at(chunks));
  for (std::int64_t c = 0; c < chunks; ++c) {
    std::vector<Range> whole;
    const BlockExchange exchange(b, exchanged.players, exchanged.steps, [&](std::int32_t player) -> std::vector<Range> {
      const std::int64_t own = owned[at(player)];
      if (own < 0 || (by_block && own * chunks / blocks != c)) return {};
      whole.push_back(cut.cell(by_block ? 0 : c, own));
      return {whole.back()};
    });
    std::erase_if(whole, [](const Range& range) { return range.count == 0; });
    std::sort(whole.begin(), whole.end());
    const SpanId what = b.span(whole);
    append(rounds[at(c)], fold_rounds(exchanged.players, what));
    append(rounds[at(c)], exchange.allreduce(exchanged.halvings));
    append(rounds[at(c)], unfold_rounds(exchanged.players, what));
  }
  return rounds;
}

ParameterSpec halvings_parameter(std::int64_t parts) {
  return {.name = "halvings",
          .summary = "steps that halve the messages; default: as long as every block has a tile",
          .by_default =
              [parts](const Request& request) {
                const auto tiles = static_cast<std::uint64_t>(std::max<std::int64_t>(tiles_of(request) / parts, 1));
                return std::min<std::int64_t>(step_count(request), std::bit_width(tiles) - 1);
              },
          .least = [](const Request&) { return std::int64_t{0}; },
          .most = step_count,
          .worth_trying =
              [](const Request& request) {
                std::vector<std::int64_t> values;
                for (std::int64_t h = 0; h <= step_count(request); ++h) values.push_back(h);
                return values;
              },
          .has_one_valley = true};
}

}  // namespace muster
