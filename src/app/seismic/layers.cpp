#include "app/seismic/layers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muster::seismic {
namespace {

constexpr std::size_t kWidestVector = 16;

/// How deep a coordinate (in cells) lies in the layer of one side, from 0 at its inner face to 1 at its outer one.
double depth(double coordinate, std::int64_t cells, std::int64_t extent, bool is_high) {
  const auto thickness = static_cast<double>(cells);
  const double inside = is_high ? coordinate - (static_cast<double>(extent - 1) - thickness) : thickness - coordinate;
  return std::clamp(inside / thickness, 0.0, 1.0);
}

struct Recursion {
  double a = 0;
  double b = 0;
  double cross = 0;
};

double strongest(double thickness, const LayerOptions& options) {
  return -3 * options.velocity * std::log(options.reflection) / (2 * thickness);
}

/// Komatitsch and Martin (2007), equations 21 to 25, without stretching (kappa = 1). A multiaxial layer has no shift of the frequency
/// either, so that its factors along the axes multiply and a = b - 1.
Recursion recursion_at(double depth, double thickness, const LayerOptions& options) {
  const double damping = strongest(thickness, options) * depth * depth;
  if (options.ratio > 0) {
    return {.a = 0,
            .b = std::exp(-damping * options.time_step),
            .cross = std::exp(-options.ratio * damping * options.time_step)};
  }
  if (depth <= 0) return {};
  const double shift = std::numbers::pi * options.frequency * (1 - depth);
  const double b = std::exp(-(damping + shift) * options.time_step);
  return {.a = damping * (b - 1) / (damping + shift), .b = b, .cross = 0};
}

/// u_tt + 2 eta u_t + eta^2 u = v^2 laplace(u) is the wave equation for exp(eta t) u. So a step multiplies by
/// exp(-eta dt), and the factors of three axes multiply each other.
double damping_at(double depth, double thickness, const LayerOptions& options) {
  return std::exp(-strongest(thickness, options) * depth * depth * options.time_step);
}

template <class Real>
AxisProfiles<Real> profiles_of(std::int64_t extent, double spacing, const Sides& sides, const LayerOptions& options) {
  const std::int64_t cells = options.cells - options.transition;  // of a CPML that damp
  const double thickness = static_cast<double>(cells) * spacing;
  // Vectors read beyond the last cell.
  const std::size_t padded = static_cast<std::size_t>(extent) + kWidestVector;
  AxisProfiles<Real> profiles;
  for (const std::size_t half : {0U, 1U}) {
    for (std::int64_t i = 0; i < extent; ++i) {
      const double coordinate = static_cast<double>(i) + 0.5 * static_cast<double>(half);
      Recursion recursion = recursion_at(0, thickness, options);
      double damping = 1;
      for (const bool is_high : {false, true}) {
        const Boundary boundary = is_high ? sides.high : sides.low;
        const double inside = depth(coordinate, cells, extent, is_high);
        if (boundary == Boundary::cpml && inside > 0) recursion = recursion_at(inside, thickness, options);
        if (boundary == Boundary::damping) {
          damping *= damping_at(depth(coordinate, options.cells, extent, is_high),
                                static_cast<double>(options.cells) * spacing, options);
        }
      }
      profiles.a[half].push_back(static_cast<Real>(recursion.a));
      profiles.b[half].push_back(static_cast<Real>(recursion.b));
      profiles.cross[half].push_back(static_cast<Real>(recursion.cross));
      profiles.damping[half].push_back(static_cast<Real>(damping));
    }
    for (auto* profile : {&profiles.a, &profiles.b, &profiles.cross, &profiles.damping})
      (*profile)[half].resize(padded, Real{0});
  }
  return profiles;
}

}  // namespace

PerAxis<Thickness> thickness_of(const PerAxis<Sides>& sides, const LayerOptions& options) {
  const auto of_side = [&](Boundary side) { return side == Boundary::cpml ? options.cells + options.reach : 0; };
  PerAxis<Thickness> thickness;
  for (const Axis axis : kAxes) thickness[axis] = {.low = of_side(sides[axis].low), .high = of_side(sides[axis].high)};
  return thickness;
}

template <class Real>
Layers<Real> make_layers(const Extent& extent, const PerAxis<double>& spacing, const PerAxis<Sides>& sides,
                         const LayerOptions& options) {
  Layers<Real> layers;
  layers.is_multiaxial = options.ratio > 0;
  layers.cpml = thickness_of(sides, options);
  for (const Axis axis : kAxes) {
    const Sides& of_axis = sides[axis];
    layers.has_damping |= of_axis.low == Boundary::damping || of_axis.high == Boundary::damping;
    layers.profiles[axis] = profiles_of<Real>(extent[axis], spacing[axis], of_axis, options);
  }
  return layers;
}

bool goes_across(const Thickness& layer, std::int64_t extent, std::int64_t cell) {
  const bool is_inside = cell > 0 && cell < extent;
  return is_inside && (cell < layer.low || cell - 1 >= extent - layer.high);
}

Thickness cut(const Thickness& layer, std::int64_t extent, std::int64_t first, std::int64_t last) {
  return {.low = std::clamp<std::int64_t>(layer.low - first, 0, last - first),
          .high = std::clamp<std::int64_t>(last - (extent - layer.high), 0, last - first)};
}

template <class Real>
Layers<Real> cut(const Layers<Real>& layers, const Extent& extent, const Box& part) {
  Layers<Real> result = layers;
  for (const Axis axis : kAxes) {
    result.goes_on_low[axis] = goes_across(layers.cpml[axis], extent[axis], part.first[axis]);
    result.goes_on_high[axis] = goes_across(layers.cpml[axis], extent[axis], part.last[axis]);
    result.cpml[axis] = cut(layers.cpml[axis], extent[axis], part.first[axis], part.last[axis]);
    AxisProfiles<Real>& profiles = result.profiles[axis];
    for (auto* profile : {&profiles.a, &profiles.b, &profiles.cross, &profiles.damping}) {
      for (std::vector<Real>& values : *profile) values.erase(values.begin(), values.begin() + part.first[axis]);
    }
  }
  return result;
}

template Layers<float> cut(const Layers<float>&, const Extent&, const Box&);
template Layers<double> cut(const Layers<double>&, const Extent&, const Box&);
template Layers<float> make_layers(const Extent&, const PerAxis<double>&, const PerAxis<Sides>&, const LayerOptions&);
template Layers<double> make_layers(const Extent&, const PerAxis<double>&, const PerAxis<Sides>&, const LayerOptions&);

}  // namespace muster::seismic
