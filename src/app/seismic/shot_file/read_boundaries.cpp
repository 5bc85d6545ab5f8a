// The sides of the grid in a shot file, and the layers at them.
#include <algorithm>
#include <array>

#include "app/seismic/media.h"
#include "app/seismic/propagator_names.h"
#include "app/seismic/shot_file/reader.h"
#include "base/counted.h"

namespace muster::seismic {
namespace {

constexpr std::array<std::string_view, 3> kLow{"low_x", "low_y", "low_z"};
constexpr std::array<std::string_view, 3> kHigh{"high_x", "high_y", "high_z"};

Boundary read_boundary(const TomlTable& table, std::string_view key, Boundary otherwise) {
  if (!table.has(key)) return otherwise;
  static const std::vector<std::string> kNames(kBoundaryNames.begin(), kBoundaryNames.end());
  return static_cast<Boundary>(std::ranges::find(kNames, table.choice(key, kNames)) - kNames.begin());
}

void check_mirrors(const TomlTable& root, const Shot& shot) {
  const Description equation = describe_propagator(shot.propagator);
  int free_axes = 0;
  for (const Axis axis : kAxes) {
    const Sides& sides = shot.grid.sides[axis];
    const auto has = [&](Boundary kind) { return sides.low == kind || sides.high == kind; };
    if (equation.is_anisotropic && has(Boundary::free_surface)) {
      root.refuse("propagator",
                  fmt::format("{} has no free surface: mirror images are wrong in anisotropic media; use an "
                              "isotropic one, or cpml",
                              shot.propagator));
    }
    if (equation.has_products && has(Boundary::rigid)) {
      root.refuse("propagator", fmt::format("{} has no rigid sides; use zero or cpml", shot.propagator));
    }
    free_axes += static_cast<int>(has(Boundary::free_surface));
  }
  if (!equation.free_surface.empty() && free_axes > 1) {
    root.refuse("propagator",
                fmt::format("{} has free surfaces along one axis only; use cpml along the others", shot.propagator));
  }
}

/// Of multiaxial layers.
void read_ratio(const TomlTable& table, Shot& shot) {
  const bool is_anisotropic = describe_propagator(shot.propagator).is_anisotropic;
  if (becomes_elliptical(shot.propagator)) shot.grid.layers.transition = shot.grid.layers.cells / 2;
  if (table.has("ratio")) {
    if (!is_anisotropic) {
      table.refuse("ratio",
                   fmt::format("multiaxial layers are for anisotropic propagators; {} needs none: leave it out",
                               shot.propagator));
    }
    shot.grid.layers.ratio = table.number("ratio");
    if (!(shot.grid.layers.ratio >= 0 && shot.grid.layers.ratio <= 1)) {
      table.refuse("ratio", fmt::format("{} is not between 0 (a CPML) and 1", table.described("ratio")));
    }
    return;
  }
  const auto has_cpml = [&](Axis axis) {
    return shot.grid.sides[axis].low == Boundary::cpml || shot.grid.sides[axis].high == Boundary::cpml;
  };
  if (is_anisotropic && std::ranges::any_of(kAxes, has_cpml)) {
    shot.grid.layers.ratio = layer_ratio(*shot.model, shot.grid.extent, shot.propagator);
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
    if (becomes_elliptical(shot.propagator) && cells < 2) {
      table.refuse("cells",
                   fmt::format("{} leaves no cell for the transition of {}; use at least 2", cells, shot.propagator));
    }
    const int layers = static_cast<int>(absorbs(sides.low)) + static_cast<int>(absorbs(sides.high));
    if (layers * (cells + radius) >= extent) {
      root.refuse("grid", fmt::format("{} cells along {} are no more than {} of {} cells, with {} for the stencil at "
                                      "each; use a larger grid or fewer boundaries.cells",
                                      extent, "xyz"[index_of(axis)], counted(layers, "layer"), cells, radius));
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
  read_ratio(table, shot);
  check_layers(root, table, shot);
}

}  // namespace muster::seismic
