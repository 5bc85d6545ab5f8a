#include "app/seismic/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/seismic/layers.h"

namespace muster::seismic {
namespace {

constexpr double kFewPointsPerWavelength = 4;

std::optional<std::string> dispersion(const Shot& shot) {
  for (const Source& source : shot.sources) {
    const double points = points_per_wavelength(shot, source.wavelet.frequency);
    if (points >= kFewPointsPerWavelength) continue;
    return fmt::format(
        "{:.2f} cells per wavelength at {:g} Hz in the slowest medium ({:g} m/s): waves will be dispersed; use {:g} or "
        "more",
        points, source.wavelet.frequency, shot.velocities.slowest, kFewPointsPerWavelength);
  }
  return std::nullopt;
}

bool is_in_layer(const GridOptions& grid, const PerAxis<double>& position) {
  const auto thickness = static_cast<double>(grid.layers.cells);
  return std::ranges::any_of(kAxes, [&](Axis axis) {
    const double cell = position[axis] / grid.spacing[axis];
    const auto last = static_cast<double>(grid.extent[axis] - 1);
    const Sides& sides = grid.sides[axis];
    return (absorbs(sides.low) && cell < thickness) || (absorbs(sides.high) && cell > last - thickness);
  });
}

std::optional<std::string> damped_source(const Shot& shot) {
  // Sources move along lines, and what lies between layers is convex: the first and the last shot tell about all.
  for (const std::int64_t number : {std::int64_t{1}, shot.repetition.count}) {
    for (std::size_t i = 0; i < shot.sources.size(); ++i) {
      const PerAxis<double> at = moved(shot.sources[i].position, shot.repetition.source_increment, number);
      if (!is_in_layer(shot.grid, at)) continue;
      return fmt::format("source.{} lies in an absorbing layer{}, which weakens it; layers have {} cells", i + 1,
                         number == 1 ? "" : fmt::format(" in shot {}", number), shot.grid.layers.cells);
    }
  }
  return std::nullopt;
}

std::optional<std::string> late_source(const Shot& shot) {
  const double end = shot.grid.time_step * static_cast<double>(shot.steps);
  for (std::size_t i = 0; i < shot.sources.size(); ++i) {
    const Wavelet& wavelet = shot.sources[i].wavelet;
    const bool is_ricker = wavelet.samples.empty();
    const double time = is_ricker ? wavelet.ricker.delay : wavelet.start;
    if (time < end) continue;
    return fmt::format("the wavelet of source.{} {} at {:.4g} s, and the run ends at {:.4g} s; use more steps", i + 1,
                       is_ricker ? "peaks" : "begins", time, end);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> warnings_of(const Shot& shot) {
  std::vector<std::string> warnings;
  for (const auto& find : {dispersion, damped_source, late_source}) {
    if (const std::optional<std::string> warning = find(shot)) warnings.push_back(*warning);
  }
  return warnings;
}

}  // namespace muster::seismic
