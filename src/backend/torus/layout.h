// Where the elements of a schedule's buffers lie in a memory of tiles.
//
// The compute processor works on whole tiles. So wherever a step begins or ends in a buffer, a new tile begins, and the rest of the
// tile before it is padding: moved and combined like data, and never looked at.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace muster::torus {

inline constexpr std::int64_t kWordBytes = 4;

/// In bytes, from the start of the program's memory.
using Address = std::int64_t;

/// A part of a buffer that every step takes whole or not at all.
struct Piece {
  std::int64_t first = 0;  ///< element
  std::int64_t count = 0;
  [[nodiscard]] std::int64_t bytes() const { return count * kWordBytes; }
};

/// The pieces of labels (of streams, Buffer::none) and of the three buffers: matching elements of a step are cut alike.
class Pieces {
 public:
  Pieces() = default;
  explicit Pieces(const Schedule& flat);

  [[nodiscard]] const std::vector<Piece>& of(Buffer buffer) const { return pieces_[static_cast<std::size_t>(buffer)]; }
  /// Indices of the pieces of a span, in its order.
  [[nodiscard]] std::vector<std::int32_t> in(const Schedule& flat, Buffer buffer, SpanId span) const;

 private:
  std::array<std::vector<Piece>, 4> pieces_;
};

/// Where pieces lie in a memory: by buffer and piece, each from a tile's first byte on; -1: nowhere, they are not used there.
struct MemoryMap {
  std::array<std::vector<Address>, 4> address;
  Address end = 0;  ///< the first byte behind all of them
  [[nodiscard]] Address of(Buffer buffer, std::int32_t piece) const {
    return address[static_cast<std::size_t>(buffer)][static_cast<std::size_t>(piece)];
  }
};

/// Bytes of the tiles that so many bytes fill.
inline std::int64_t whole_tiles(std::int64_t bytes, std::int64_t tile_bytes) {
  return (bytes + tile_bytes - 1) / tile_bytes * tile_bytes;
}

}  // namespace muster::torus
