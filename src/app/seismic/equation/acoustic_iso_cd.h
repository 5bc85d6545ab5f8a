// Acoustic waves in a medium of constant density, second order in time, on nodes only:
//
//   d2p/dt2 = vp^2 (d2p/dx2 + d2p/dy2 + d2p/dz2)
#pragma once

#include "app/seismic/equation/equation.h"

namespace muster::seismic {

struct AcousticIsoCd : Isotropic {
  static constexpr std::string_view kName = "acoustic_iso_cd";

  static constexpr std::array kPressure{NamedShare{"p"}};        ///< the pressure, as a sum of fields
  static constexpr std::array kPressureSource{NamedShare{"p"}};  ///< what a source of pressure adds to

  enum : int { p };
  static constexpr std::array kFields{Field{"p", kNode, Kind::stress, 2}};

  enum : int { velocity_squared };
  static constexpr std::array kParameters{
      Parameter{"velocity_squared", kNode,
                [](std::span<const Node* const> node, double step) {
                  return step * step * node.front()->vp * node.front()->vp;
                }},
  };

  using Phases = List<Phase<Add<p, velocity_squared, D<p, Axis::x>, D<p, Axis::y>, D<p, Axis::z>>>>;
};

}  // namespace muster::seismic
