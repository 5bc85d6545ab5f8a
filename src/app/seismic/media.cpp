#include "app/seismic/media.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "app/seismic/waves.h"

namespace muster::seismic {
namespace {

bool is_elastic(std::string_view propagator) { return propagator.starts_with("elastic"); }
bool is_tilted(std::string_view propagator) { return propagator.find("tti") != std::string_view::npos; }

constexpr double kLeastDensity = 1e-6;  ///< in kg/m3: far less than of any gas on the ground

/// Far beyond what there is, and far within what numbers of 32 bits hold of products and quotients: files may say anything.
double most_of(MediumParameter::Unit unit) {
  switch (unit) {
    case MediumParameter::Unit::velocity:
      return 1e6;
    case MediumParameter::Unit::density:
      return 1e9;
    case MediumParameter::Unit::none:
      return 100;
    case MediumParameter::Unit::angle:
      return 1000;
  }
  return 0;
}

MediumFault fault_of_size(const MediumParameter& parameter, double value) {
  if (!std::isfinite(value)) return {parameter.name, fmt::format("{} is not a finite number", value)};
  const double most = most_of(parameter.unit);
  if (std::abs(value) <= most) return {};
  return {parameter.name, fmt::format("{:g} is beyond {:g}; is its unit right?", value, most)};
}

/// A fluid has no shear modulus; what is left must be positive.
bool is_positive_definite(const Moduli& c) {
  if (std::isnan(c.c13) || c.c44 < 0 || c.c66 < 0) return false;
  if (c.c44 == 0) return c.c11 * c.c33 >= c.c13 * c.c13;
  return c.c66 > 0 && c.c11 > c.c66 && c.c33 * (c.c11 - c.c66) > c.c13 * c.c13;
}

MediumFault elastic_fault(const Medium& medium, bool sees_anisotropy) {
  Medium isotropic = medium;
  isotropic.epsilon = isotropic.delta = isotropic.gamma = 0;
  if (!is_positive_definite(moduli_of(isotropic))) {
    return {"vs", fmt::format("{:g} m/s is too fast for vp = {:g} m/s: the stiffness is not positive definite; use "
                              "less than 0.866 vp",
                              medium.vs, medium.vp)};
  }
  if (sees_anisotropy && !is_positive_definite(moduli_of(medium))) {
    return {"delta", fmt::format("{:g} with epsilon = {:g} and gamma = {:g} gives a stiffness that is not positive "
                                 "definite; use weaker anisotropy",
                                 medium.delta, medium.epsilon, medium.gamma)};
  }
  return {};
}

/// Of pressure waves across the symmetry axis over those along it, or at an angle if that is more.
double stretch_of(const Medium& medium, std::string_view propagator) {
  return is_tilted(propagator) ? std::sqrt(1 + 2 * std::max(medium.epsilon, medium.delta)) : 1;
}

/// The slowest wave that is polarised in the plane of the symmetry axis, found at some angles to it.
double slowest_in_plane(const Moduli& c) {
  constexpr int kAngles = 17;
  double least = c.c44;
  for (int i = 1; i < kAngles - 1; ++i) {
    const double across = std::pow(std::sin(std::numbers::pi / 2 * i / (kAngles - 1)), 2);
    const double along = 1 - across;
    const double a = c.c11 * across + c.c44 * along;
    const double b = c.c44 * across + c.c33 * along;
    const double both = (c.c13 + c.c44) * (c.c13 + c.c44) * across * along;
    least = std::min(least, (a + b - std::sqrt((a - b) * (a - b) + 4 * both)) / 2);
  }
  return std::sqrt(std::max(0.0, least));
}

}  // namespace

MediumFault fault_of(const Medium& medium, std::string_view propagator) {
  for (const MediumParameter& parameter : kMediumParameters) {
    MediumFault fault = fault_of_size(parameter, medium.*parameter.value);
    if (!fault.parameter.empty()) return fault;
  }
  if (medium.vp <= 0) return {"vp", fmt::format("{:g} m/s is not positive", medium.vp)};
  if (medium.rho < kLeastDensity) {
    return {"density", fmt::format("{:g} kg/m3 is not positive, or less than {:g}", medium.rho, kLeastDensity)};
  }
  if (medium.vs < 0) return {"vs", fmt::format("{:g} m/s is negative", medium.vs)};
  if (is_tilted(propagator)) {
    if (1 + 2 * medium.epsilon <= 0) return {"epsilon", fmt::format("{:g} is not above -0.5", medium.epsilon)};
    if (1 + 2 * medium.delta < 0) return {"delta", fmt::format("{:g} is below -0.5", medium.delta)};
    if (!is_elastic(propagator) && medium.epsilon < medium.delta) {
      return {"epsilon", fmt::format("{:g} is less than delta = {:g}, with which {} is unstable; use at least delta",
                                     medium.epsilon, medium.delta, propagator)};
    }
  }
  return is_elastic(propagator) ? elastic_fault(medium, is_tilted(propagator)) : MediumFault{};
}

bool becomes_elliptical(std::string_view propagator) { return is_tilted(propagator) && !is_elastic(propagator); }

double layer_ratio(const Model& model, const Extent& extent, std::string_view propagator) {
  if (!is_tilted(propagator)) return 0;
  const Extent nodes{3, 3, extent.z};
  constexpr std::size_t kMostMedia = 64;
  std::vector<Medium> media;
  const auto node = [&](Axis axis, std::int64_t i) { return i * (extent[axis] - 1) / (nodes[axis] - 1); };
  // In an order that spreads over the grid, so that the first ones stand for all where all differ.
  std::int64_t stride = 233;
  while (std::gcd(stride, cells_of(nodes)) != 1) ++stride;
  for (std::int64_t i = 0; i < cells_of(nodes) && media.size() < kMostMedia; ++i) {
    const std::int64_t at = i * stride % cells_of(nodes);
    Medium medium =
        model.at({node(Axis::x, at / nodes.z % nodes.x), node(Axis::y, at / nodes.z / nodes.x), at % nodes.z});
    if (becomes_elliptical(propagator)) medium.delta = medium.epsilon;
    if (std::ranges::count(media, medium) == 0) media.push_back(medium);
  }
  double ratio = 0;
  for (const Medium& medium : media) {
    const auto stiffness = is_elastic(propagator) ? stiffness_of(medium) : acoustic_stiffness_of(medium);
    ratio = std::max(ratio, waves_of(stiffness, medium.rho).layer_ratio);
  }
  return ratio;
}

double fastest_wave(const Medium& medium, std::string_view propagator) {
  return medium.vp * std::max(1.0, stretch_of(medium, propagator));
}

void widen(VelocityRange& range, const Medium& medium, std::string_view propagator) {
  range.fastest = std::max(range.fastest, fastest_wave(medium, propagator));
  double slow = medium.vp * std::min(1.0, stretch_of(medium, propagator));
  if (is_elastic(propagator) && medium.vs > 0) {
    slow = std::min(slow, medium.vs);
    if (is_tilted(propagator)) {
      const Moduli moduli = moduli_of(medium);
      slow = std::min({slow, std::sqrt(std::max(0.0, moduli.c66)), slowest_in_plane(moduli)});
    }
  }
  range.slowest = range.slowest == 0 ? slow : std::min(range.slowest, slow);
}

}  // namespace muster::seismic
