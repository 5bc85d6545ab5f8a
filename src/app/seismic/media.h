// The parameters of a medium by name, and what a propagator asks of them.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "app/seismic/medium.h"
#include "app/seismic/model.h"

namespace muster::seismic {

struct MediumParameter {
  std::string_view name;  ///< in shot files
  double Medium::*value;
  enum class Unit : unsigned char { velocity, density, none, angle } unit;
};

inline constexpr std::array<MediumParameter, 8> kMediumParameters{{
    {"vp", &Medium::vp, MediumParameter::Unit::velocity},
    {"vs", &Medium::vs, MediumParameter::Unit::velocity},
    {"density", &Medium::rho, MediumParameter::Unit::density},
    {"epsilon", &Medium::epsilon, MediumParameter::Unit::none},
    {"delta", &Medium::delta, MediumParameter::Unit::none},
    {"gamma", &Medium::gamma, MediumParameter::Unit::none},
    {"theta", &Medium::theta, MediumParameter::Unit::angle},
    {"phi", &Medium::phi, MediumParameter::Unit::angle},
}};

/// Which parameter is wrong, and why; no parameter: the medium is fine.
struct MediumFault {
  std::string_view parameter;
  std::string reason;
};

/// What is wrong with a medium for a propagator. The elastic ones need a stiffness that is positive definite, and acoustic_tti
/// epsilon >= delta.
MediumFault fault_of(const Medium& medium, std::string_view propagator);

/// The fastest wave of a medium, in m/s, with anisotropy where the propagator sees it.
double fastest_wave(const Medium& medium, std::string_view propagator);

/// Widens a range by the waves of a medium: shear waves count where the propagator has them, and anisotropy where it sees it.
void widen(VelocityRange& range, const Medium& medium, std::string_view propagator);

/// Whether media become elliptical in the propagator's layers (elliptical.h).
bool becomes_elliptical(std::string_view propagator);

/// The ratio that multiaxial layers need for the media of a model, as they are in layers, found at all depths of nine columns,
/// for at most 64 different media; 0: CPML is stable.
double layer_ratio(const Model& model, const Extent& extent, std::string_view propagator);

}  // namespace muster::seismic
