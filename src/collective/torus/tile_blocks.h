// Vectors cut at the boundaries of tiles, the units of a compute processor.
#pragma once

#include <cstdint>

#include "collective/algorithm.h"
#include "schedule/span.h"

namespace muster {

/// Words of a tile of the machine: half as many of a 16-bit type.
std::int64_t tile_words(const Request& request);
/// The last one may be partly used.
std::int64_t tiles_of(const Request& request);

/// A run of tiles of a vector, in blocks x chunks cells: chunk after chunk, and in each block after block. Blocks have as many tiles as
/// each other, give or take one, and so have chunks; larger blocks are spread evenly.
class TileBlocks {
 public:
  struct Size {
    std::int64_t blocks = 1;
    std::int64_t chunks = 1;
    std::int64_t phase = 0;  ///< which blocks are the larger ones: with 0 to blocks - 1, others each time
  };
  /// `tiles`: in tiles, of the request's vector.
  TileBlocks(const Request& request, Range tiles, const Size& size);
  /// In words. Empty where there are not enough tiles.
  [[nodiscard]] Range cell(std::int64_t chunk, std::int64_t block) const;
  [[nodiscard]] Range chunk(std::int64_t chunk) const;

 private:
  std::int64_t count_;
  std::int64_t tile_words_;
  std::int64_t blocks_;
  std::vector<std::int64_t> first_tile_;  ///< of each cell, and the end
};

/// Chunks that a vector can be cut into: 1 to `most`, at most one for each tile.
ParameterSpec chunks_parameter_of_tiles(std::int64_t most = 32);

}  // namespace muster
