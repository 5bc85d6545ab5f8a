#include "app/seismic/shot.h"

#include <algorithm>

namespace muster::seismic {

PerAxis<double> moved(const PerAxis<double>& position, const PerAxis<double>& increment, std::int64_t shot) {
  PerAxis<double> at = position;
  for (const Axis axis : kAxes) at[axis] += static_cast<double>(shot - 1) * increment[axis];
  return at;
}

std::int64_t steps_made(const Shot& shot, std::int64_t step) {
  return shot.mode == Mode::adjoint ? shot.steps - step : step;
}

double points_per_wavelength(const Shot& shot, double frequency) {
  const PerAxis<double>& h = shot.grid.spacing;
  return shot.velocities.slowest / (frequency * std::max({h.x, h.y, h.z}));
}

}  // namespace muster::seismic
