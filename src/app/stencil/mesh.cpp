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
  const std::int64_t cells = description.cells, radius = description.radius();
  const std::int64_t blocks = (cells + block - 1) / block;
  std::int64_t of_cell = 0, operations = 0;
  for (const SlotsOf& of : slots_of(description)) {
    const std::int64_t interval = of.is_local         ? mesh.local_interval.value()
                                  : of.is_from_fabric ? mesh.receive_interval.value()
                                                      : 1;
    of_cell += of.slots * interval;
    if (of.is_local) operations += of.name == "along z" ? of.slots : 1;
  }
  const std::int64_t starts = blocks * operations * mesh.operation_start.value();
  const bool has_neighbours = neighbours_in_the_middle(description).all() > 0;
  const std::int64_t of_tail = has_neighbours && radius > 1 ? radius * block * 5 / 4 : 0;
  const std::int64_t first = has_neighbours ? (radius + 1) * (2 * mesh.ramp_latency.value() + 1) : 0;
  return description.steps * (of_cell * cells + starts + of_tail) + first;
}

}  // namespace muster::stencil
