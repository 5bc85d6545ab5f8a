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
  std::int64_t local = 0, fabric = 0, received = 0;
  for (const SlotsOf& of : slots_of(description)) {
    (of.is_local ? local : fabric) += of.slots;
    if (of.is_from_fabric) received += of.slots;
  }
  const std::int64_t blocks = (description.cells + block - 1) / block;
  const std::int64_t of_cell =
      local * mesh.local_interval.value() + fabric + received * (mesh.receive_interval.value() - 1);
  const std::int64_t of_block = 0;
  return description.steps * (of_cell * description.cells + of_block * blocks);
}

}  // namespace muster::stencil
