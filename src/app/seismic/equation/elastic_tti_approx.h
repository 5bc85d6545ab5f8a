// Elastic waves in a medium with any stiffness on a Yee grid, at a third of the cost of Lebedev's: the terms that couple components of
// different locations are interpolated. They meet at the nodes:
//
//   dsigma/dt = c e + G M^T C_others M G e,   c = harmonic mean of c_AA,   G^2 = c / arithmetic mean of c_AA,
//
// where M takes the mean of shear strain rates at the nodes around, and its transpose takes the mean of what the nodes give to shear
// stresses. So the operator stays symmetric, and energy is kept. The means are of second order in space.
//
// G is 1 in a homogeneous medium, and 0 next to a fluid. Without it, energy could be negative where stiffness jumps, and waves would grow: each node
// needs c_AA (M G e)^2 of the strain around it, which is at most the mean of c_AA G^2 e^2; over all nodes, the sum of that is what there is, c e^2.
#pragma once

#include <cmath>
#include <limits>

#include "app/seismic/equation/stiffness.h"

namespace muster::seismic {

struct ElasticTtiApprox : Anisotropic {
  static constexpr std::string_view kName = "elastic_tti_approx";

  static constexpr std::array kPressure{NamedShare{"sxx", 1.0 / 3}, NamedShare{"syy", 1.0 / 3},
                                        NamedShare{"szz", 1.0 / 3}};
  static constexpr std::array kPressureSource{NamedShare{"sxx"}, NamedShare{"syy"}, NamedShare{"szz"}};

  enum : int { vx, vy, vz, sxx, syy, szz, syz, sxz, sxy, eyz, exz, exy, tyz, txz, txy };
  static constexpr std::array kFields{
      Field{"vx", kHalfX, Kind::velocity},    Field{"vy", kHalfY, Kind::velocity},
      Field{"vz", kHalfZ, Kind::velocity},    Field{"sxx", kNode, Kind::stress},
      Field{"syy", kNode, Kind::stress},      Field{"szz", kNode, Kind::stress},
      Field{"syz", kHalfYZ, Kind::stress},    Field{"sxz", kHalfXZ, Kind::stress},
      Field{"sxy", kHalfXY, Kind::stress},    Field{"eyz", kHalfYZ, Kind::stress, 0},
      Field{"exz", kHalfXZ, Kind::stress, 0}, Field{"exy", kHalfXY, Kind::stress, 0},
      Field{"tyz", kNode, Kind::stress, 0},   Field{"txz", kNode, Kind::stress, 0},
      Field{"txy", kNode, Kind::stress, 0},
  };

  enum : int { buoyancy_x = kStiffnesses, buoyancy_y, buoyancy_z, g44, g55, g66, c44, c55, c66 };

  struct Means {
    double harmonic = 0;
    double arithmetic = 0;
  };
  /// Of c_AA at the nodes around; of fluids, which rounding may leave a little of either sign, 0.
  template <std::size_t A>
  static Means means_of(std::span<const Node* const> nodes) {
    constexpr double kRounding = 1e-12;
    const auto count = static_cast<double>(nodes.size());
    double inverses = 0;
    double sum = 0;
    for (const Node* node : nodes) {
      const double modulus = node->stiffness[A][A];
      const bool is_fluid = modulus <= kRounding * node->stiffness[0][0];
      inverses += is_fluid ? std::numeric_limits<double>::infinity() : 1 / modulus;
      sum += is_fluid ? 0 : modulus;
    }
    return {.harmonic = count / inverses, .arithmetic = sum / count};
  }
  /// G.
  template <std::size_t A>
  static double share(std::span<const Node* const> nodes, double /*time_step*/) {
    const Means means = means_of<A>(nodes);
    return means.harmonic == 0 ? 0 : std::sqrt(means.harmonic / means.arithmetic);
  }
  /// c / G: what multiplies G e.
  template <std::size_t A>
  static double shear(std::span<const Node* const> nodes, double time_step) {
    const Means means = means_of<A>(nodes);
    return time_step * std::sqrt(means.harmonic * means.arithmetic);
  }
  static constexpr auto kParameters = with_stiffness(
      Parameter{"buoyancy_x", kHalfX, buoyancy}, Parameter{"buoyancy_y", kHalfY, buoyancy},
      Parameter{"buoyancy_z", kHalfZ, buoyancy}, Parameter{"share of c44", kHalfYZ, share<3>},
      Parameter{"share of c55", kHalfXZ, share<4>}, Parameter{"share of c66", kHalfXY, share<5>},
      Parameter{"c44 between nodes", kHalfYZ, shear<3>}, Parameter{"c55 between nodes", kHalfXZ, shear<4>},
      Parameter{"c66 between nodes", kHalfXY, shear<5>});

  /// G times the sum of two derivatives, kept for the mean at nodes.
  template <int Output, int Share, class First, class Second>
  struct Keep {
    using Rates = List<Rate<First, Second>>;
    static constexpr std::size_t kIntermediate = 0;
    static constexpr std::array kOutputs{Output};
    static constexpr std::array kCouplings{Coupling{.to = 1, .from = 0, .parameter = Share}};
  };

  /// Hooke's law at nodes, but for the shear stresses' own strains.
  struct AtNodes {
    using Rates = List<Rate<D<vx, Axis::x>>, Rate<D<vy, Axis::y>>, Rate<D<vz, Axis::z>>, Rate<Mean<eyz>>,
                       Rate<Mean<exz>>, Rate<Mean<exy>>>;
    static constexpr std::size_t kIntermediate = 0;
    static constexpr std::array kOutputs{+sxx, +syy, +szz, +tyz, +txz, +txy};
    static constexpr auto kCouplings = hooke_across();
  };

  template <int Output, int Strain, int FromNodes, int Modulus, int Share>
  struct AddShear {
    using Rates = List<Rate<Mean<Strain>>, Rate<Mean<FromNodes>>>;
    static constexpr std::size_t kIntermediate = 0;
    static constexpr std::array kOutputs{Output};
    static constexpr std::array kCouplings{Coupling{.to = 2, .from = 0, .parameter = Modulus},
                                           Coupling{.to = 2, .from = 1, .parameter = Share}};
  };

  using Phases = List<
      Phase<Add<vx, buoyancy_x, D<sxx, Axis::x>, D<sxy, Axis::y>, D<sxz, Axis::z>>,
            Add<vy, buoyancy_y, D<sxy, Axis::x>, D<syy, Axis::y>, D<syz, Axis::z>>,
            Add<vz, buoyancy_z, D<sxz, Axis::x>, D<syz, Axis::y>, D<szz, Axis::z>>>,
      Phase<Keep<eyz, g44, D<vy, Axis::z>, D<vz, Axis::y>>,  //
            Keep<exz, g55, D<vx, Axis::z>, D<vz, Axis::x>>,  //
            Keep<exy, g66, D<vx, Axis::y>, D<vy, Axis::x>>>,
      Phase<AtNodes>,
      Phase<AddShear<syz, eyz, tyz, c44, g44>, AddShear<sxz, exz, txz, c55, g55>, AddShear<sxy, exy, txy, c66, g66>>>;
};

}  // namespace muster::seismic
