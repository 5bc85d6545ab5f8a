#include "app/seismic/point.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

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

/// An axis as a field sees it.
struct FieldAxis {
  std::int64_t extent = 0;
  bool is_half = false;  ///< values lie half a spacing behind their nodes
  Continuation behind;

  /// The value inside the grid that value i is a copy of, and its sign; 0: there is none.
  [[nodiscard]] std::pair<std::int64_t, int> inside(std::int64_t i) const {
    if (behind.is_periodic) return {(i % extent + extent) % extent, 1};
    const std::int64_t shift = is_half ? 1 : 0;  // of mirror images: the mirror lies in a plane of nodes
    if (i < 0) return {-i - shift, -i - shift < extent ? behind.low : 0};
    const std::int64_t last = extent - 1;
    if (i > last - (behind.high != 0 ? shift : 0))
      return {2 * last - i - shift, 2 * last - i >= shift ? behind.high : 0};
    return {i, 1};
  }
};

std::vector<AxisWeight> axis_weights(double coordinate, const FieldAxis& axis) {
  const double nearest = std::round(coordinate);
  const bool is_on_node = std::abs(coordinate - nearest) <= kSameNode;
  if (is_on_node) coordinate = nearest;
  const auto below = static_cast<std::int64_t>(std::floor(coordinate));
  std::vector<AxisWeight> weights;
  for (std::int64_t i = is_on_node ? below : below - kHalfWidth + 1; i <= (is_on_node ? below : below + kHalfWidth);
       ++i) {
    const auto [index, sign] = axis.inside(i);
    if (sign == 0) continue;
    const double weight = sign * windowed_sinc(coordinate - static_cast<double>(i));
    const auto same = std::ranges::find(weights, index, &AxisWeight::index);
    if (same != weights.end()) {
      same->weight += weight;
    } else {
      weights.push_back({.index = index, .weight = weight});
    }
  }
  return weights;
}

}  // namespace

std::vector<NodeWeight> point_weights(const PerAxis<double>& coordinates, Location location, const Extent& extent,
                                      const PerAxis<Continuation>& behind) {
  PerAxis<std::vector<AxisWeight>> along;
  for (const Axis axis : kAxes) {
    const bool is_half = location.is_half(axis);
    along[axis] = axis_weights(coordinates[axis] - (is_half ? 0.5 : 0),
                               {.extent = extent[axis], .is_half = is_half, .behind = behind[axis]});
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
