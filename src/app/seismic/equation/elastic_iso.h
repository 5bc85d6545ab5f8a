// Elastic waves in an isotropic medium, first order in time, on a Yee grid:
//
//   dv/dt = (1/rho) div sigma,   dsigma/dt = lambda (div v) I + mu (grad v + transposed)
#pragma once

#include "app/seismic/equation/averages.h"
#include "app/seismic/equation/equation.h"

namespace muster::seismic {

struct ElasticIso : Isotropic {
  static constexpr std::string_view kName = "elastic_iso";

  static constexpr std::array kPressure{NamedShare{"sxx", 1.0 / 3}, NamedShare{"syy", 1.0 / 3},
                                        NamedShare{"szz", 1.0 / 3}};
  static constexpr std::array kPressureSource{NamedShare{"sxx"}, NamedShare{"syy"}, NamedShare{"szz"}};

  enum : int { vx, vy, vz, sxx, syy, szz, syz, sxz, sxy };
  static constexpr std::array kFields{
      Field{"vx", kHalfX, Kind::velocity}, Field{"vy", kHalfY, Kind::velocity}, Field{"vz", kHalfZ, Kind::velocity},
      Field{"sxx", kNode, Kind::stress},   Field{"syy", kNode, Kind::stress},   Field{"szz", kNode, Kind::stress},
      Field{"syz", kHalfYZ, Kind::stress}, Field{"sxz", kHalfXZ, Kind::stress}, Field{"sxy", kHalfXY, Kind::stress},
  };

  enum : int { buoyancy_x, buoyancy_y, buoyancy_z, lambda, lambda_2mu, mu_yz, mu_xz, mu_xy };
  static constexpr std::array kParameters{
      Parameter{"buoyancy_x", kHalfX, buoyancy},
      Parameter{"buoyancy_y", kHalfY, buoyancy},
      Parameter{"buoyancy_z", kHalfZ, buoyancy},
      Parameter{"lambda", kNode,
                [](std::span<const Node* const> node, double step) {
                  const Node& at = *node.front();
                  return step * at.rho * (at.vp * at.vp - 2 * at.vs * at.vs);
                }},
      Parameter{"lambda_2mu", kNode,
                [](std::span<const Node* const> node, double step) {
                  return step * node.front()->rho * node.front()->vp * node.front()->vp;
                }},
      Parameter{"mu_yz", kHalfYZ, shear_modulus},
      Parameter{"mu_xz", kHalfXZ, shear_modulus},
      Parameter{"mu_xy", kHalfXY, shear_modulus},
  };

  static constexpr std::array kFreeSurface{
      Condensation{.normal = sxx, .others = {syy, szz}, .numerator = lambda, .denominator = lambda_2mu},
      Condensation{.normal = syy, .others = {sxx, szz}, .numerator = lambda, .denominator = lambda_2mu},
      Condensation{.normal = szz, .others = {sxx, syy}, .numerator = lambda, .denominator = lambda_2mu},
  };

  struct NormalStress {
    using Rates = List<Rate<D<vx, Axis::x>>, Rate<D<vy, Axis::y>>, Rate<D<vz, Axis::z>>>;
    static constexpr std::size_t kIntermediate = 0;
    static constexpr std::array kOutputs{+sxx, +syy, +szz};
    static constexpr std::array kCouplings{
        Coupling{3, 0, lambda_2mu}, Coupling{3, 1, lambda},     Coupling{3, 2, lambda},
        Coupling{4, 0, lambda},     Coupling{4, 1, lambda_2mu}, Coupling{4, 2, lambda},
        Coupling{5, 0, lambda},     Coupling{5, 1, lambda},     Coupling{5, 2, lambda_2mu},
    };
  };

  using Phases = List<Phase<Add<vx, buoyancy_x, D<sxx, Axis::x>, D<sxy, Axis::y>, D<sxz, Axis::z>>,
                            Add<vy, buoyancy_y, D<sxy, Axis::x>, D<syy, Axis::y>, D<syz, Axis::z>>,
                            Add<vz, buoyancy_z, D<sxz, Axis::x>, D<syz, Axis::y>, D<szz, Axis::z>>>,
                      Phase<NormalStress,                                     //
                            Add<syz, mu_yz, D<vy, Axis::z>, D<vz, Axis::y>>,  //
                            Add<sxz, mu_xz, D<vx, Axis::z>, D<vz, Axis::x>>,  //
                            Add<sxy, mu_xy, D<vx, Axis::y>, D<vy, Axis::x>>>>;
};

}  // namespace muster::seismic
