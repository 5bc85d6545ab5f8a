// The sides of the grid in a shot file, and the layers at them.
#include <algorithm>
#include <array>

#include "app/seismic/propagators.h"
#include "app/seismic/shot_file/reader.h"

namespace muster::seismic {
namespace {

const std::array<std::string, 6> kBoundaries{"cpml", "damping", "free-surface", "periodic", "rigid", "zero"};
constexpr std::array<std::string_view, 3> kLow{"low_x", "low_y", "low_z"};
constexpr std::array<std::string_view, 3> kHigh{"high_x", "high_y", "high_z"};

bool absorbs(Boundary side) { return side == Boundary::cpml || side == Boundary::damping; }
bool mirrors(Boundary side) { return side == Boundary::free_surface || side == Boundary::rigid; }

Boundary read_boundary(const TomlTable& table, std::string_view key, Boundary otherwise) {
  if (!table.has(key)) return otherwise;
  const std::string name = table.choice(key, kBoundaries);
  return static_cast<Boundary>(std::ranges::find(kBoundaries, name) - kBoundaries.begin());
}

void check_mirrors(const TomlTable& root, const Shot& shot) {
  if (describe_propagator(shot.propagator).field("sxy") < 0) return;
  for (const Axis axis : kAxes) {
    if (!mirrors(shot.grid.sides[axis].low) && !mirrors(shot.grid.sides[axis].high)) continue;
    root.refuse("propagator", fmt::format("{} has no free surface and no rigid side yet; use an acoustic one, or cpml",
                                          shot.propagator));
  }
}

void check_layers(const TomlTable& root, const TomlTable& table, const Shot& shot) {
  const std::int64_t cells = shot.grid.layers.cells;
  const std::int64_t radius = shot.grid.order / 2;
  for (const Axis axis : kAxes) {
    const Sides& sides = shot.grid.sides[axis];
    const std::int64_t extent = shot.grid.extent[axis];
    if (extent <= radius) {
      root.refuse("grid", fmt::format("{} cells along {} are less than a stencil of order {} needs; use at least {}",
                                      extent, "xyz"[index_of(axis)], shot.grid.order, radius + 1));
    }
    if (!absorbs(sides.low) && !absorbs(sides.high)) continue;
    if (cells < radius) {
      table.refuse("cells", fmt::format("{} is less than the stencil's radius; use at least {}", cells, radius));
    }
    const int layers = static_cast<int>(absorbs(sides.low)) + static_cast<int>(absorbs(sides.high));
    if (layers * (cells + radius) >= extent) {
      root.refuse("grid", fmt::format("{} cells along {} are no more than its layers, {} each; use a larger grid or "
                                      "fewer boundaries.cells",
                                      extent, "xyz"[index_of(axis)], cells + radius));
    }
  }
}

}  // namespace

void read_boundaries(const TomlTable& root, Shot& shot) {
  const TomlTable table = root.table("boundaries");
  const Boundary all = read_boundary(table, "all", Boundary::cpml);
  for (const Axis axis : kAxes) {
    const std::size_t i = index_of(axis);
    Sides& sides = shot.grid.sides[axis];
    sides = {.low = read_boundary(table, kLow[i], all), .high = read_boundary(table, kHigh[i], all)};
    if ((sides.low == Boundary::periodic) != (sides.high == Boundary::periodic)) {
      table.refuse(kLow[i], fmt::format("is periodic on one side only; {} must be, too", kHigh[i]));
    }
  }
  check_mirrors(root, shot);
  if (table.has("cells")) shot.grid.layers.cells = table.integer("cells", {1, kMostCells});
  shot.grid.layers.velocity = shot.velocities.fastest;
  check_layers(root, table, shot);
}

}  // namespace muster::seismic
