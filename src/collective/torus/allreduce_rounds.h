// Rounds of an allreduce by exchanges, for every chunk of a part of the vector.
#pragma once

#include <vector>

#include "collective/torus/exchanges.h"
#include "collective/torus/tile_blocks.h"

namespace muster {

struct ExchangedChunks {
  const TorusPlayers& players;
  const std::vector<Matching>& steps;
  const std::vector<std::int32_t>& number;  ///< of each player: in this order, they own blocks
  std::size_t halvings = 0;                 ///< BlockExchange::allreduce
  Range tiles;                              ///< of the vector
  std::int64_t chunks = 1;
  /// Chunks are groups of blocks, so that each step sends its message in pieces; otherwise each chunk has all blocks.
  bool chunks_are_blocks = false;
  std::int64_t phase = 0;  ///< which blocks are larger (TileBlocks::Size)
};

/// By chunk.
std::vector<TileRounds> allreduce_rounds(ScheduleBuilder& b, const Request& request, const ExchangedChunks& exchanged);

/// How many steps halve the messages, of a vector in so many parts. By default as many as leave every owner of a block a tile.
ParameterSpec halvings_parameter(std::int64_t parts);

}  // namespace muster
