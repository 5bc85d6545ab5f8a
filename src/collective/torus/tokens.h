// Barriers between the steps of a schedule: ranks send each other tokens, words without meaning.
#pragma once

#include <cstdint>

#include "collective/torus/tile_rounds.h"

namespace muster {

/// Rounds of a dissemination barrier: in round k, rank i sends to rank i + 2^k, modulo their number.
int dissemination_rounds(NodeId ranks);

/// Tokens in `scratch`, from word `first` on; each round has one of its own.
class TokenBarrier {
 public:
  /// Tokens are copied from the input's first tile of `tile` words, so that the input need not be cut within a tile.
  TokenBarrier(ScheduleBuilder& builder, TileStreams& streams, NodeId ranks, std::int64_t first, std::int64_t tile);
  /// Words of scratch for so many barriers.
  static std::int64_t words(NodeId ranks, std::int64_t tile, int barriers);

  /// Once, before anything else of the lane.
  void make_tokens(std::int32_t lane);
  /// Everybody's steps of the lane after this begin when everybody's before it have finished.
  void write(std::int32_t lane);

 private:
  ScheduleBuilder& b_;
  TileStreams& streams_;
  NodeId ranks_;
  std::int64_t own_;   ///< the word of scratch with the own token
  std::int64_t next_;  ///< the next word of scratch for a token that arrives
  std::int64_t copied_;
};

}  // namespace muster
