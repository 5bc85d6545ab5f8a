// Of the family "mesh" alone: its timing, and its shapes.
#include "app/stencil/mesh.h"

#include <algorithm>
#include <array>

#include "app/stencil/slots.h"
#include "base/error.h"
#include "machine/family.h"
#include "machine/mesh.h"
#include "machine/shapes.h"

namespace muster::stencil {
namespace {

/// Cycles, read off simulations.
constexpr std::int64_t kBetweenTurns = 4;

}  // namespace

void check_mesh(const Machine& machine) {
  static constexpr std::array<std::string_view, 1> kFamilies{"mesh"};
  if (as<Mesh>(machine) == nullptr) reject_family(machine, "--app stencil", kFamilies);
}

Machine with_grid_of(const Machine& machine, const Description& description) {
  return with_grid(machine, description.columns, description.rows);
}

std::string largest_grid_text(const Machine& machine) {
  const Mesh& mesh = *as<Mesh>(machine);
  return fmt::format("{}x{}", mesh.max_width, mesh.max_height);
}

std::int64_t predicted_cycles(const Description& description, std::int64_t block, const Machine& machine) {
  const Mesh& mesh = *as<Mesh>(machine);
  const std::int64_t cells = description.cells;
  const std::int64_t blocks = (cells + block - 1) / block;
  std::int64_t of_cell = 0, operations = 0;
  for (const SlotsOf& of : slots_of(description)) {
    const std::int64_t interval = of.is_local         ? mesh.local_interval.value()
                                  : of.is_from_fabric ? mesh.receive_interval.value()
                                                      : 1;
    of_cell += of.slots * interval;
    if (of.is_local) operations += of.name == "along z" ? of.slots : 1;
  }
  const Neighbours neighbours = neighbours_in_the_middle(description);
  std::int64_t of_block = operations * mesh.operation_start.value(), of_step = 0, first = 0;
  const std::int64_t reach = std::max({neighbours.west, neighbours.east, neighbours.north, neighbours.south});
  if (reach > 0) first = (reach + 1) * (2 * mesh.ramp_latency.value() + 1);
  if (reach > 0 && description.radius() > 1) {
    const std::int64_t turns = (reach + 1) * (2 * neighbours.sends() * block + kBetweenTurns);
    if (neighbours.all() == 4 * std::int64_t{description.radius()}) {
      of_block += std::max<std::int64_t>(0, turns - of_cell * block);
    }
    of_step = reach * block * 5 / 4;
  }
  return description.steps * (of_cell * cells + of_block * blocks + of_step) + first;
}

}  // namespace muster::stencil
