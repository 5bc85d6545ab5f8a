// One network-on-chip of a torus: its routers, the direction of its links, and the paths of its packets.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/torus.h"

namespace muster::torus {

/// y * width + x, in the coordinates of NoC 0. A tile, its router and its interface have the same number.
using RouterId = std::int32_t;

/// Where a router sends a flit: along an axis, or to its own tile.
enum Port : std::uint8_t { to_x = 0, to_y = 1, to_tile = 2 };
/// A set of ports, bit p for port p.
using PortSet = std::uint8_t;

/// The tiles of a multicast: columns and rows from the first to the last in the direction of the NoC, around the edge if need be.
struct Rectangle {
  Coordinates first;
  Coordinates last;
  bool operator==(const Rectangle&) const = default;
};

/// A multicast goes along the NoC's first axis to the first column (row) of its rectangle, along the other axis to its first tile
/// and through its lines, and again along the first axis across each of them.
enum class MulticastLeg : std::uint8_t { approach, descent, trunk, across };

class Topology {
 public:
  Topology(const Torus& torus, int noc);

  [[nodiscard]] RouterId routers() const { return width_ * height_; }
  [[nodiscard]] RouterId at(Coordinates c) const { return c.y * width_ + c.x; }
  [[nodiscard]] Coordinates coordinates(RouterId r) const { return {.x = r % width_, .y = r / width_}; }
  /// The neighbour at the end of a link.
  [[nodiscard]] RouterId next(RouterId from, Port axis) const;
  /// Whether the link closes the ring: there the dateline bit of a virtual channel flips.
  [[nodiscard]] bool wraps(RouterId from, Port axis) const;
  /// NoC 0 goes along x first, NoC 1 along y.
  [[nodiscard]] Port toward(RouterId at, RouterId destination) const;
  [[nodiscard]] std::int32_t hops(RouterId from, RouterId to) const;

  /// The branches of a multicast at a router. Tiles that are no workers pass it on and do not receive it.
  [[nodiscard]] PortSet branches(RouterId at, MulticastLeg leg, const Rectangle& area) const;
  [[nodiscard]] MulticastLeg next_leg(RouterId at, MulticastLeg leg, Port port, const Rectangle& area) const;
  /// Hops from `from` to the farthest tile of the rectangle.
  [[nodiscard]] std::int32_t depth(RouterId from, const Rectangle& area) const;
  [[nodiscard]] bool contains(const Rectangle& area, RouterId tile) const;
  [[nodiscard]] bool is_worker(RouterId tile) const { return is_worker_[static_cast<std::size_t>(tile)]; }

 private:
  /// Where a router is in a rectangle, counted from its first tile.
  struct Position {
    std::int32_t across = 0;  ///< along the first axis
    std::int32_t line = 0;    ///< along the other
    std::int32_t last_across = 0;
    std::int32_t last_line = 0;
  };
  [[nodiscard]] Position position(RouterId at, const Rectangle& area) const;
  /// Whether the line through a router along the first axis has workers: others are left out by multicasts.
  [[nodiscard]] bool has_workers_across(RouterId at) const;
  /// Hops from a to b along an axis.
  [[nodiscard]] std::int32_t along_x(std::int32_t a, std::int32_t b) const { return ahead(a, b, width_); }
  [[nodiscard]] std::int32_t along_y(std::int32_t a, std::int32_t b) const { return ahead(a, b, height_); }
  [[nodiscard]] std::int32_t ahead(std::int32_t a, std::int32_t b, std::int32_t size) const {
    return (direction_ * (b - a) + size) % size;
  }

  std::int32_t width_;
  std::int32_t height_;
  std::int32_t direction_;  ///< of both coordinates: 1 on NoC 0, -1 on NoC 1
  Port first_axis_;
  Port second_axis_;
  std::vector<bool> is_worker_;
  std::vector<bool> has_worker_column_;
  std::vector<bool> has_worker_row_;
};

}  // namespace muster::torus
