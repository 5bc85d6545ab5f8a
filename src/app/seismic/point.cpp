#include "app/seismic/point.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace muster::seismic {
namespace {

constexpr std::int64_t kHalfWidth = 4;
constexpr double kWindow =
    6.31;  // Hicks (2002), Table 2: the least error up to half of the Nyquist wavenumber with this width

double windowed_sinc(double distance) {
  const double inside = 1 - distance * distance / (kHalfWidth * kHalfWidth);
  if (inside <= 0) return 0;
  if (distance == 0) return 1;
  const double phase = std::numbers::pi * distance;
  return std::sin(phase) / phase * std::cyl_bessel_i(0, kWindow * std::sqrt(inside)) / std::cyl_bessel_i(0, kWindow);
}

struct AxisWeight {
  std::int64_t index = 0;
  double weight = 0;

  bool operator==(const AxisWeight&) const = default;
};

std::vector<AxisWeight> axis_weights(double coordinate, std::int64_t extent, bool is_periodic) {
  const auto below = static_cast<std::int64_t>(std::floor(coordinate));
  const bool is_on_node = coordinate == static_cast<double>(below);
  std::vector<AxisWeight> weights;
  for (std::int64_t i = is_on_node ? below : below - kHalfWidth + 1; i <= (is_on_node ? below : below + kHalfWidth);
       ++i) {
    const std::int64_t index = is_periodic ? (i % extent + extent) % extent : i;
    if (index < 0 || index >= extent) continue;
    weights.push_back({.index = index, .weight = windowed_sinc(coordinate - static_cast<double>(i))});
  }
  return weights;
}

}  // namespace

std::vector<NodeWeight> point_weights(const PerAxis<double>& coordinates, Location location, const Extent& extent,
                                      const PerAxis<bool>& is_periodic) {
  PerAxis<std::vector<AxisWeight>> along;
  for (const Axis axis : kAxes) {
    const double shift = location.is_half(axis) ? 0.5 : 0;
    along[axis] = axis_weights(coordinates[axis] - shift, extent[axis], is_periodic[axis]);
  }
  std::vector<NodeWeight> weights;
  for (const AxisWeight& x : along.x) {
    for (const AxisWeight& y : along.y) {
      for (const AxisWeight& z : along.z) {
        weights.push_back({.cell = {x.index, y.index, z.index}, .weight = x.weight * y.weight * z.weight});
      }
    }
  }
  return weights;
}

}  // namespace muster::seismic
