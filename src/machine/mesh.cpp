// Coordinates, routes and shapes of a wafer's mesh.
#include "machine/mesh.h"

#include <cstdlib>

#include "base/error.h"

namespace muster {

Coordinates coordinates_of(const Mesh& mesh, NodeId node) { return {.x = node % mesh.width, .y = node / mesh.width}; }

NodeId node_at(const Mesh& mesh, Coordinates coordinates) { return coordinates.y * mesh.width + coordinates.x; }

NodeId rank_count(const Mesh& mesh) { return mesh.width * mesh.height; }

NodeId node_count(const Mesh& mesh) { return rank_count(mesh); }

bool linked(const Mesh& mesh, NodeId from, NodeId to) { return default_hops(mesh, from, to) == 1; }

std::vector<NodeId> default_route(const Mesh& mesh, NodeId from, NodeId to) {
  Coordinates at = coordinates_of(mesh, from);
  const Coordinates end = coordinates_of(mesh, to);
  std::vector<NodeId> route;
  route.reserve(static_cast<std::size_t>(default_hops(mesh, from, to)) + 1);
  route.push_back(from);
  while (at.x != end.x) {
    at.x += at.x < end.x ? 1 : -1;
    route.push_back(node_at(mesh, at));
  }
  while (at.y != end.y) {
    at.y += at.y < end.y ? 1 : -1;
    route.push_back(node_at(mesh, at));
  }
  return route;
}

std::int64_t default_hops(const Mesh& mesh, NodeId from, NodeId to) {
  const Coordinates a = coordinates_of(mesh, from);
  const Coordinates b = coordinates_of(mesh, to);
  return std::abs(a.x - b.x) + std::abs(a.y - b.y);
}

std::int64_t relay_cycles(const Mesh& mesh) { return 2 * mesh.ramp_latency.value() + mesh.hop_latency.value() + 1; }

std::string arbitration_name(Arbitration arbitration) {
  switch (arbitration) {
    case Arbitration::lowest_color:
      return "lowest color";
    case Arbitration::highest_color:
      return "highest color";
    case Arbitration::round_robin:
      return "round robin";
  }
  return "";
}

Machine with_grid(Machine machine, std::int32_t width, std::int32_t height) {
  Mesh* mesh = as<Mesh>(machine);
  if (mesh == nullptr) {
    reject("machine '{}' is a {}, which takes no grid; a grid is for a mesh such as wse2", machine.name,
           family_name(machine));
  }
  if (width < 1 || height < 1) reject("grid: {}x{} is too small; width and height must be at least 1", width, height);
  if (width > mesh->max_width || height > mesh->max_height) {
    reject("grid: {}x{} does not fit {}; use at most {}x{}", width, height, machine.name, mesh->max_width,
           mesh->max_height);
  }
  mesh->width = width;
  mesh->height = height;
  return machine;
}

}  // namespace muster
