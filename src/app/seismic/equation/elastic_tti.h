// Elastic waves in a medium with any stiffness, here transversely isotropic about a tilted axis, first order in time, on Lebedev's
// grid:
//
//   dv/dt = (1/rho) div sigma,   dsigma/dt = C (strain rate)
//
// A cell has one stiffness and one density for all its locations.
#pragma once

#include "app/seismic/equation/lebedev.h"
#include "app/seismic/equation/stiffness.h"

namespace muster::seismic {

struct ElasticTti : Anisotropic {
  static constexpr std::string_view kName = "elastic_tti";

  static constexpr std::array kPressure{NamedShare{"sxx", 1.0 / 3}, NamedShare{"syy", 1.0 / 3},
                                        NamedShare{"szz", 1.0 / 3}};
  static constexpr std::array kPressureSource{NamedShare{"sxx"}, NamedShare{"syy"}, NamedShare{"szz"}};

  static constexpr auto kFields =
      lebedev::fields(std::to_array<std::string_view>({"sxx", "syy", "szz", "syz", "sxz", "sxy"}));
  static constexpr int stress(int at, int component) { return lebedev::kVelocities + 6 * at + component; }

  enum : int { inverse_density = kStiffnesses };
  static constexpr auto kParameters = with_stiffness(Parameter{"buoyancy", kNode, buoyancy});

  template <int At, Axis Component>
  struct Divergence {
    template <Axis Along>
    using Of = D<stress(lebedev::stress_across(At, Along), voigt(Component, Along)), Along>;
    using Type = Rate<Of<Axis::x>, Of<Axis::y>, Of<Axis::z>>;
  };
  template <int At>
  using AddVelocity = lebedev::AddVelocity<At, inverse_density, Divergence>;

  template <int At>
  struct AddStress {
    using Rates = lebedev::StrainRates<At>;
    static constexpr std::size_t kIntermediate = 0;
    static constexpr std::array kOutputs{stress(At, 0), stress(At, 1), stress(At, 2),
                                         stress(At, 3), stress(At, 4), stress(At, 5)};
    static constexpr auto kCouplings = hooke();
  };

  using Phases = List<Phase<AddVelocity<0>, AddVelocity<1>, AddVelocity<2>, AddVelocity<3>>,
                      Phase<AddStress<0>, AddStress<1>, AddStress<2>, AddStress<3>>>;
};

}  // namespace muster::seismic
