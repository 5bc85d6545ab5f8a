// The tiles of planes of x in which acoustic_iso_cd is computed, and which of them a launch takes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/seismic/view.h"

namespace muster::seismic::constant_density {

inline constexpr int kRadius = 4;
inline constexpr int kTileY = 16;
inline constexpr int kTileZ = 64;
inline constexpr int kThreads = kTileY * kTileZ / 4;

/// The tiles of a plane, and those of them that no layer of y or z touches: from `first` up to `last`.
struct Tiles {
  int count_y;
  int count_z;
  int first_y;
  int last_y;
  int first_z;
  int last_z;

  [[nodiscard]] int all() const { return count_y * count_z; }
  [[nodiscard]] int inner() const { return (last_y - first_y) * (last_z - first_z); }
};

enum class Part : unsigned char { inner, frame };

/// Which cells a launch updates.
struct Job {
  int first_x[2];  ///< of up to two ranges of x
  int last_x[2];
  int chunk;   ///< planes of a block
  int chunks;  ///< of the first range
  int shift;   ///< of the tiles, towards low z
  Tiles tiles;
};

/// The tile of a block: the first cell of it along y and z.
template <Part Which>
__device__ __forceinline__ void find_tile(const Job& job, int& y, int& z) {
  const Tiles& tiles = job.tiles;
  int number = static_cast<int>(blockIdx.x);
  if constexpr (Which == Part::inner) {
    const int width = tiles.last_z - tiles.first_z;
    y = tiles.first_y + number / width;
    z = tiles.first_z + number % width;
  } else {
    // The rows of tiles before and behind the inner ones, then what is left beside those.
    const int across = (tiles.count_y - tiles.last_y + tiles.first_y) * tiles.count_z;
    if (number < across) {
      y = number / tiles.count_z;
      z = number % tiles.count_z;
      if (y >= tiles.first_y) y += tiles.last_y - tiles.first_y;
    } else {
      number -= across;
      const int width = tiles.count_z - tiles.last_z + tiles.first_z;
      y = tiles.first_y + number / width;
      z = number % width;
      if (z >= tiles.first_z) z += tiles.last_z - tiles.first_z;
    }
  }
  y *= kTileY;
  z = z * kTileZ - job.shift;
}

/// How far tiles are moved towards low z so that each layer of z lies within one of them; -1: there is no way.
inline int tile_shift(const AxisView<float>& along) {
  const std::int64_t last = (along.extent - along.layer_high) / 4 * 4;
  for (int shift = 0; shift < kTileZ; shift += 4) {
    const bool low_fits = along.layer_low <= kTileZ - shift;
    const bool high_fits = along.layer_high == 0 || (last + shift) / kTileZ == (along.extent - 1 + shift) / kTileZ;
    if (low_fits && high_fits) return shift;
  }
  return -1;
}

inline Tiles tiles_of(const View<float>& view, int shift) {
  const AxisView<float>& y = view.axes.y;
  const AxisView<float>& z = view.axes.z;
  const auto up = [](std::int64_t cells, int tile) { return static_cast<int>((cells + tile - 1) / tile); };
  Tiles tiles{.count_y = up(y.extent, kTileY), .count_z = up(z.extent + shift, kTileZ)};
  tiles.first_y = up(y.layer_low, kTileY);
  tiles.first_z = z.layer_low == 0 ? 0 : up(z.layer_low + shift, kTileZ);
  const auto last_y = y.layer_high == 0 ? tiles.count_y : static_cast<int>((y.extent - y.layer_high) / kTileY);
  const auto last_z =
      z.layer_high == 0 ? tiles.count_z : static_cast<int>((z.extent - z.layer_high + shift) / kTileZ);
  tiles.last_y = std::max(tiles.first_y, last_y);
  tiles.last_z = std::max(tiles.first_z, last_z);
  return tiles;
}

/// Long enough that the halo of a chunk costs little, short enough that the device has work for all its processors.
inline int chunk_of(int tiles, int planes) {
  constexpr std::int64_t kBlocks = 132 * 3 * 4;  // an H200 has 132 processors with 3 blocks each
  constexpr int kLongest = 96;
  const int longest = std::clamp(static_cast<int>(planes * static_cast<std::int64_t>(tiles) / kBlocks), 16, kLongest);
  const int chunks = (planes + longest - 1) / longest;
  return (planes + chunks - 1) / chunks;
}

}  // namespace muster::seismic::constant_density
