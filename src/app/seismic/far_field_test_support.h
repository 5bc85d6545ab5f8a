// How far waves are from the exact ones of a full space after 10 wavelengths, with few cells per wavelength: what order and time step that takes. Sources
// and receivers are off the grid. For tests and benchmarks.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/seismic/full_space_test_support.h"
#include "app/seismic/survey_test_support.h"

namespace muster::seismic {

inline constexpr double kWavelengths = 10;
inline constexpr Vector kDirection{0.96, 0.24, 0.144};  ///< near an axis, along which waves are dispersed most

/// Waves of a Ricker wavelet, `kWavelengths` away from their source.
struct FarCase {
  std::string propagator;
  double cells_per_wavelength = 8;  ///< of the slowest wave at the peak frequency
  int order = 16;
  double cfl = 0.08;
};

/// A source and a receiver in a grid with room for both, and absorbing layers far enough from the line between them.
struct FarSetup {
  std::string text;
  Vector offset;
  Solid solid{.vp = 3000, .vs = 1700, .rho = 2000};
};

inline FarSetup setup_of(const FarCase& of) {
  constexpr double kSpacing = 10;
  constexpr double kLayer = 16;
  const bool is_elastic = of.propagator == "elastic_iso";
  FarSetup setup;
  const double slowest = is_elastic ? setup.solid.vs : setup.solid.vp;
  const double frequency = slowest / (of.cells_per_wavelength * kSpacing);
  const double cells = kWavelengths * of.cells_per_wavelength;
  const double apart = kSpacing * cells / std::hypot(kDirection[0], kDirection[1], kDirection[2]);
  const double margin = kLayer + 1.5 * of.cells_per_wavelength;
  Vector source{};
  std::array<int, 3> grid{};
  for (std::size_t i = 0; i < 3; ++i) {
    setup.offset[i] = apart * kDirection[i];
    const double room = i == 0 ? margin : std::max(margin, kLayer + cells / 4);
    source[i] = kSpacing * (room + 0.3);
    grid[i] = static_cast<int>(std::ceil(2 * room + setup.offset[i] / kSpacing));
  }
  const double limit = of.order == 16 ? 0.42 : 0.45;
  const double duration = kWavelengths / frequency + 3.2 / frequency;
  const int steps = static_cast<int>(duration * setup.solid.vp / (of.cfl * limit * kSpacing));
  setup.text =
      fmt::format(R"(
propagator = "{}"
grid = "{}x{}x{}"
spacing = "{} m"
order = {}
steps = {}
cfl = {}
[[layer]]
vp = "3000 m/s"
{}
[boundaries]
cells = {}
[[source]]
position = ["{} m", "{} m", "{} m"]
frequency = "{} Hz"
{}
[[receivers]]
fields = [{}]
positions = ["{} m, {} m, {} m"]
)",
                  of.propagator, grid[0], grid[1], grid[2], kSpacing, of.order, steps, of.cfl,
                  is_elastic ? "vs = \"1700 m/s\"\ndensity = \"2000 kg/m3\"" : "", kLayer, source[0], source[1],
                  source[2], frequency, is_elastic ? "kind = \"force\"\nforce = [1e9, -2e9, 5e8]" : "",
                  is_elastic ? R"("vx", "vy", "vz")" : R"("p")", source[0] + setup.offset[0],
                  source[1] + setup.offset[1], source[2] + setup.offset[2]);
  return setup;
}

/// Of s(t - r/c) / (4 pi r).
inline double green_error(const FarSetup& setup, const Shot& shot, const Gather& gather) {
  const double r = std::hypot(setup.offset[0], setup.offset[1], setup.offset[2]);
  const Source& source = shot.sources.front();
  return pressure_error(gather, [&](double time) {
    return source.pressure * source.wavelet.at(time - r / setup.solid.vp) / (4 * std::numbers::pi * r);
  });
}

/// In relative L2, on the CPU.
inline double far_error(const FarCase& of, const Shot& shot, const FarSetup& setup, int threads) {
  const std::vector<Gather> gathers = gathers_of<float>(shot, {.kind = Target::Kind::cpu, .threads = threads});
  return of.propagator == "elastic_iso" ? stokes_error(setup.solid, setup.offset, shot, gathers, 0)
                                        : green_error(setup, shot, gathers[0]);
}

}  // namespace muster::seismic
