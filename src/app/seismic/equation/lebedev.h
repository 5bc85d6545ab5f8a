// Lebedev's grid: four Yee grids, shifted by half a cell along two axes each, so that all components of a vector live together, and all of
// a tensor. Stresses live at one set of four locations, velocities at the other; each derivative leads from one set to the other.
// In an isotropic medium the four grids know nothing of each other.
#pragma once

#include <array>

#include "app/seismic/equation/equation.h"

namespace muster::seismic::lebedev {

inline constexpr int kLattices = 4;

inline constexpr std::array<Location, kLattices> kStress{kNode, kHalfXY, kHalfXZ, kHalfYZ};
inline constexpr std::array<Location, kLattices> kVelocity{kHalfX, kHalfY, kHalfZ, kHalfXYZ};

constexpr int number_of(const std::array<Location, kLattices>& set, Location location) {
  for (int i = 0; i < kLattices; ++i) {
    if (set[static_cast<std::size_t>(i)] == location) return i;
  }
  return -1;
}

/// The stresses that a derivative along `axis` leads from to velocities at location `at`, and the other way round.
constexpr int stress_across(int at, Axis axis) {
  return number_of(kStress, kVelocity[static_cast<std::size_t>(at)].across(axis));
}
constexpr int velocity_across(int at, Axis axis) {
  return number_of(kVelocity, kStress[static_cast<std::size_t>(at)].across(axis));
}

/// The fields begin with the velocities: vx, vy, vz at the first location, then at the second, ...
inline constexpr int kVelocities = 3 * kLattices;

constexpr int velocity(int at, Axis component) { return 3 * at + static_cast<int>(component); }

/// Velocities, then `count` stresses of these names at each location.
template <std::size_t Count>
constexpr auto fields(const std::array<std::string_view, Count>& stresses) {
  std::array<Field, kVelocities + kLattices * Count> all{};
  std::size_t next = 0;
  for (const Location at : kVelocity) {
    for (const std::string_view name : {"vx", "vy", "vz"}) all[next++] = {name, at, Kind::velocity};
  }
  for (const Location at : kStress) {
    for (const std::string_view name : stresses) all[next++] = {name, at, Kind::stress};
  }
  return all;
}

/// The derivative along `Along` of velocity component `Component`, at stress location `At`.
template <int At, Axis Component, Axis Along>
using DV = D<velocity(velocity_across(At, Along), Component), Along>;

/// Strain rates at a stress location, in Voigt's order.
template <int At>
using StrainRates = List<Rate<DV<At, Axis::x, Axis::x>>, Rate<DV<At, Axis::y, Axis::y>>, Rate<DV<At, Axis::z, Axis::z>>,
                         Rate<DV<At, Axis::y, Axis::z>, DV<At, Axis::z, Axis::y>>,
                         Rate<DV<At, Axis::x, Axis::z>, DV<At, Axis::z, Axis::x>>,
                         Rate<DV<At, Axis::x, Axis::y>, DV<At, Axis::y, Axis::x>>>;

/// Updates of the velocities at a location: `Divergence<At, Component>` is the rate of a component.
template <int At, int Buoyancy, template <int, Axis> class Divergence>
struct AddVelocity {
  using Rates = List<typename Divergence<At, Axis::x>::Type, typename Divergence<At, Axis::y>::Type,
                     typename Divergence<At, Axis::z>::Type>;
  static constexpr std::size_t kIntermediate = 0;
  static constexpr std::array kOutputs{velocity(At, Axis::x), velocity(At, Axis::y), velocity(At, Axis::z)};
  static constexpr std::array kCouplings{Coupling{3, 0, Buoyancy}, Coupling{4, 1, Buoyancy}, Coupling{5, 2, Buoyancy}};
};

}  // namespace muster::seismic::lebedev
