// Acoustic waves in a medium of variable density, first order in time, on a Yee grid:
//
//   dv/dt = (1/rho) grad p,   dp/dt = rho vp^2 div v
//
// The pressure is that of Minimod, positive where the medium is stretched.
#pragma once

#include "app/seismic/equation/averages.h"
#include "app/seismic/equation/equation.h"

namespace muster::seismic {

struct AcousticIso : Isotropic {
  static constexpr std::string_view kName = "acoustic_iso";

  static constexpr std::array kPressure{NamedShare{"p"}};        ///< the pressure, as a sum of fields
  static constexpr std::array kPressureSource{NamedShare{"p"}};  ///< what a source of pressure adds to

  enum : int { p, vx, vy, vz };
  static constexpr std::array kFields{
      Field{"p", kNode, Kind::stress},
      Field{"vx", kHalfX, Kind::velocity},
      Field{"vy", kHalfY, Kind::velocity},
      Field{"vz", kHalfZ, Kind::velocity},
  };

  enum : int { bulk_modulus, buoyancy_x, buoyancy_y, buoyancy_z };
  static constexpr std::array kParameters{
      Parameter{"bulk_modulus", kNode,
                [](std::span<const Node* const> node, double step) {
                  return step * node.front()->rho * node.front()->vp * node.front()->vp;
                }},
      Parameter{"buoyancy_x", kHalfX, buoyancy},
      Parameter{"buoyancy_y", kHalfY, buoyancy},
      Parameter{"buoyancy_z", kHalfZ, buoyancy},
  };

  using Phases = List<Phase<Add<vx, buoyancy_x, D<p, Axis::x>>,  //
                            Add<vy, buoyancy_y, D<p, Axis::y>>,  //
                            Add<vz, buoyancy_z, D<p, Axis::z>>>,
                      Phase<Add<p, bulk_modulus, D<vx, Axis::x>, D<vy, Axis::y>, D<vz, Axis::z>>>>;
};

}  // namespace muster::seismic
