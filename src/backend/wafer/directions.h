// Directions on the mesh, and the neighbours that they lead to. y grows to the south.
#pragma once

#include <string>
#include <string_view>

#include "backend/wafer/program.h"
#include "machine/mesh.h"

namespace muster::wafer {

inline constexpr NodeId kOutside = -1;

constexpr int index_of(Direction d) { return static_cast<int>(d); }
constexpr Direction direction_at(int index) { return static_cast<Direction>(index); }

/// The input side, at the next router, of a wavelet that leaves towards `d`. Not for the ramp.
constexpr Direction opposite(Direction d) { return direction_at((index_of(d) + 2) % 4); }

std::string_view direction_name(Direction d);

/// "west and ramp".
std::string directions_text(Directions set);

/// Which sides of position 0, a color's base route, another position of the switch changes. A switch sets either side,
/// or both where the machine says so (Mesh::switch_both_sides); a side that it does not set is that of the base.
struct ChangedSides {
  bool input = false;
  bool output = false;
  [[nodiscard]] constexpr bool both() const { return input && output; }
};
constexpr ChangedSides changed_sides(const Position& base, const Position& position) {
  return {.input = position.from != base.from, .output = position.to != base.to};
}

/// The router that a link towards `d` leads to, or kOutside. Not for the ramp.
NodeId neighbour(const Mesh& mesh, NodeId node, Direction d);

/// The direction of the link from `from` to `to`; Direction::ramp if there is none.
Direction link_direction(const Mesh& mesh, NodeId from, NodeId to);

/// The router before `to` on the default route (x, then y) from another router.
NodeId router_before(const Mesh& mesh, NodeId from, NodeId to);

/// "PE (3,0)".
std::string pe_text(const Mesh& mesh, NodeId node);

}  // namespace muster::wafer
