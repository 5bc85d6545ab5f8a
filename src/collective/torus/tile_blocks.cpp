#include "collective/torus/tile_blocks.h"

#include <algorithm>

#include "base/index.h"
#include "machine/torus.h"

namespace muster {
namespace {

std::int64_t most_chunks_of_tiles(const Request& request, std::int64_t most) {
  return std::clamp<std::int64_t>(tiles_of(request), 1, most);
}

/// Tiles of the blocks before `index`, of `tiles` in `blocks`.
std::int64_t tiles_before(std::int64_t index, std::int64_t tiles, std::int64_t blocks, std::int64_t phase) {
  return tiles / blocks * index + (tiles % blocks * index + phase) / blocks;
}

}  // namespace

std::int64_t tile_words(const Request& request) {
  const std::int64_t per_word = request.user_count ? std::max<std::int64_t>(request.user_count->block_unit, 1) : 1;
  return as<Torus>(request.machine)->compute.tile_elements / per_word;
}

std::int64_t tiles_of(const Request& request) {
  const std::int64_t words = tile_words(request);
  return request.count / words + (request.count % words == 0 ? 0 : 1);
}

TileBlocks::TileBlocks(const Request& request, Range tiles, const Size& size)
    : count_(request.count), tile_words_(tile_words(request)), blocks_(size.blocks) {
  // Block b has `all` tiles; each chunk gets all / chunks of them, and the rest is dealt out in turn.
  std::vector<std::int64_t> tiles_in_cell(at(size.chunks * size.blocks));
  std::int64_t dealt = 0;
  for (std::int64_t b = 0; b < size.blocks; ++b) {
    const std::int64_t all = tiles_before(b + 1, tiles.count, size.blocks, size.phase) -
                             tiles_before(b, tiles.count, size.blocks, size.phase);
    for (std::int64_t c = 0; c < size.chunks; ++c) tiles_in_cell[at(c * size.blocks + b)] = all / size.chunks;
    for (std::int64_t i = 0; i < all % size.chunks; ++i) {
      ++tiles_in_cell[at(dealt++ % size.chunks * size.blocks + b)];
    }
  }
  first_tile_.push_back(tiles.first);
  for (const std::int64_t cell : tiles_in_cell) first_tile_.push_back(first_tile_.back() + cell);
}

Range TileBlocks::cell(std::int64_t chunk, std::int64_t block) const {
  const std::int64_t index = chunk * blocks_ + block;
  const auto word_at = [&](std::int64_t tile) {
    return tile > count_ / tile_words_ ? count_ : std::min(count_, tile * tile_words_);
  };
  const std::int64_t first = word_at(first_tile_[at(index)]);
  return {first, word_at(first_tile_[at(index) + 1]) - first};
}

Range TileBlocks::chunk(std::int64_t chunk) const {
  const Range first = cell(chunk, 0);
  return {first.first, cell(chunk, blocks_ - 1).end() - first.first};
}

ParameterSpec chunks_parameter_of_tiles(std::int64_t most) {
  return {.name = "chunks",
          .summary = "independent pieces of the vector, cut between tiles, that follow each other; default: 1",
          .by_default = [](const Request&) { return std::int64_t{1}; },
          .least = [](const Request&) { return std::int64_t{1}; },
          .most = [most](const Request& request) { return most_chunks_of_tiles(request, most); },
          .worth_trying =
              [most](const Request& request) {
                std::vector<std::int64_t> values;
                for (std::int64_t chunks = 1; chunks <= most_chunks_of_tiles(request, most); chunks *= 2) {
                  values.push_back(chunks);
                }
                return values;
              },
          .has_one_valley = true};
}

}  // namespace muster
