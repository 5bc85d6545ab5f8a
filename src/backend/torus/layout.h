// Where the elements of a schedule's buffers lie in a memory of tiles.
//
// The compute processor works on whole tiles. So wherever a step begins or ends in a buffer, a new tile begins, and the rest of the
// tile before it is padding: moved and combined like data, and never looked at.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "schedule/schedule.h"

namespace muster::torus {

inline constexpr std::int64_t kWordBytes = 4;

/// Pieces of one buffer, each from a tile's first byte on.
class Layout {
 public:
  Layout() = default;
  /// `cuts`: where pieces begin or end, sorted; elements before the first and from the last on have no address.
  Layout(const std::set<std::int64_t>& cuts, std::int64_t tile_bytes, std::int64_t base);

  /// In bytes. `element` lies between the first and the last cut.
  [[nodiscard]] std::int64_t address_of(std::int64_t element) const;
  /// The first byte behind the buffer.
  [[nodiscard]] std::int64_t end() const { return end_; }
  [[nodiscard]] std::int64_t elements() const;

  struct Piece {
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int64_t address = 0;
  };
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  /// The pieces that a range consists of, with their addresses. It begins and ends at cuts.
  [[nodiscard]] std::vector<Piece> pieces_of(const Range& range) const;

 private:
  std::vector<Piece> pieces_;
  std::int64_t end_ = 0;
};

/// The buffers of a memory, one behind another, and what was added behind them for data that arrives.
struct MemoryMap {
  std::array<Layout, 3> buffers;  ///< input, output, scratch
  std::int64_t bytes = 0;         ///< of all
  [[nodiscard]] const Layout& of(Buffer buffer) const { return buffers[static_cast<std::size_t>(buffer) - 1]; }
};

/// Cut points of labels (of streams) and of the three buffers, so that matching elements of a step are cut alike.
struct Cuts {
  std::array<std::set<std::int64_t>, 4> of;  ///< by Buffer; none: the labels of streams
};
/// `nodes`: which nodes' steps count.
Cuts cuts_of(const Schedule& flat, const std::vector<bool>& nodes);

}  // namespace muster::torus
