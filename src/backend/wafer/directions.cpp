// Directions on the mesh.
#include "backend/wafer/directions.h"

#include "machine/mesh.h"

namespace muster::wafer {

std::string_view direction_name(Direction d) {
  constexpr std::array<std::string_view, kDirections> names{"north", "east", "south", "west", "ramp"};
  return names.at(static_cast<std::size_t>(d));
}

std::string directions_text(Directions set) {
  std::string text;
  for (int d = 0; d < kDirections; ++d) {
    if (!has(set, direction_at(d))) continue;
    if (!text.empty()) text += " and ";
    text += direction_name(direction_at(d));
  }
  return text.empty() ? "nowhere" : text;
}

NodeId neighbour(const Mesh& mesh, NodeId node, Direction d) {
  const NodeId x = node % mesh.width;
  switch (d) {
    case Direction::north:
      return node >= mesh.width ? node - mesh.width : kOutside;
    case Direction::east:
      return x + 1 < mesh.width ? node + 1 : kOutside;
    case Direction::south:
      return node / mesh.width + 1 < mesh.height ? node + mesh.width : kOutside;
    case Direction::west:
      return x > 0 ? node - 1 : kOutside;
    case Direction::ramp:
      break;
  }
  return kOutside;
}

Direction link_direction(const Mesh& mesh, NodeId from, NodeId to) {
  for (int d = 0; d < kDirections - 1; ++d) {
    if (neighbour(mesh, from, direction_at(d)) == to) return direction_at(d);
  }
  return Direction::ramp;
}

NodeId router_before(const Mesh& mesh, NodeId from, NodeId to) {
  const NodeId from_y = from / mesh.width, to_y = to / mesh.width;
  if (to_y != from_y) return to_y > from_y ? to - mesh.width : to + mesh.width;
  return to > from ? to - 1 : to + 1;
}

std::string pe_text(const Mesh& mesh, NodeId node) {
  return fmt::format("PE ({},{})", node % mesh.width, node / mesh.width);
}

}  // namespace muster::wafer
