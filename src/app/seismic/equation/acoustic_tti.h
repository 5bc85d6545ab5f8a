// Acoustic waves in a medium that is transversely isotropic about a tilted axis n, first order in time, on Lebedev's grid. The stress is
// horizontal across the axis and vertical along it:
//
//   sigma = a I + d n n^T,   dv/dt = (1/rho) div sigma
//
//   da/dt = k0 div v + k1 e,   dd/dt = k1 div v + k2 e,   e = n^T (grad v) n
//
// with a = sigma_H and d = sigma_V - sigma_H. This form is self-adjoint: it keeps energy even where the tilt jumps. It is stable
// where epsilon >= delta.
#pragma once

#include <cmath>

#include "app/seismic/equation/averages.h"
#include "app/seismic/equation/lebedev.h"

namespace muster::seismic {

struct AcousticTti : Anisotropic {
  static constexpr std::string_view kName = "acoustic_tti";

  static constexpr std::array kPressure{NamedShare{"a"}, NamedShare{"d", 1.0 / 3}};  ///< a third of the stress's trace
  static constexpr std::array kPressureSource{NamedShare{"a"}};

  static constexpr auto kFields = lebedev::fields(std::to_array<std::string_view>({"a", "d"}));
  static constexpr int isotropic(int at) { return lebedev::kVelocities + 2 * at; }
  static constexpr int deviation(int at) { return lebedev::kVelocities + 2 * at + 1; }

  enum : int { nx, ny, nz, inverse_density, k0, k1, k2 };

  /// A component of the symmetry axis.
  template <std::size_t Component>
  static double axis_component(std::span<const Node* const> node, double /*time_step*/) {
    return axis_of(*node.front())[Component];
  }
  /// rho vp^2 times the time step and a factor.
  static double modulus(const Medium& medium, double factor, double time_step) {
    return time_step * medium.rho * medium.vp * medium.vp * factor;
  }
  static constexpr std::array kParameters{
      Parameter{"nx", kNode, axis_component<0>},
      Parameter{"ny", kNode, axis_component<1>},
      Parameter{"nz", kNode, axis_component<2>},
      Parameter{"buoyancy", kNode, buoyancy},
      Parameter{"k0", kNode,
                [](std::span<const Node* const> node, double step) {
                  return modulus(*node.front(), 1 + 2 * node.front()->epsilon, step);
                }},
      Parameter{"k1", kNode,
                [](std::span<const Node* const> node, double step) {
                  const Node& at = *node.front();
                  return modulus(at, std::sqrt(1 + 2 * at.delta) - 1 - 2 * at.epsilon, step);
                }},
      Parameter{"k2", kNode,
                [](std::span<const Node* const> node, double step) {
                  const Node& at = *node.front();
                  return modulus(at, 2 + 2 * at.epsilon - 2 * std::sqrt(1 + 2 * at.delta), step);
                }},
  };

  template <int At, Axis Component>
  struct Divergence {
    static constexpr int axis(Axis component) { return nx + static_cast<int>(component); }
    template <int From, Axis Along, bool IsNormal = Along == Component>
    struct Of {
      using Type = Derivative<Along, Term<deviation(From), axis(Along), axis(Component)>>;
    };
    template <int From, Axis Along>
    struct Of<From, Along, true> {
      using Type = Derivative<Along, Term<isotropic(From)>, Term<deviation(From), axis(Along), axis(Along)>>;
    };
    template <Axis Along>
    using Part = typename Of<lebedev::stress_across(At, Along), Along>::Type;
    using Type = Rate<Part<Axis::x>, Part<Axis::y>, Part<Axis::z>>;
  };
  template <int At>
  using AddVelocity = lebedev::AddVelocity<At, inverse_density, Divergence>;

  template <int At>
  struct AddStress {
    using Rates = lebedev::StrainRates<At>;
    // The divergence; n^T (strain rate), component by component; e.
    enum : std::size_t { divergence = 6, along_x, along_y, along_z, e, a, d };
    static constexpr std::size_t kIntermediate = 5;
    static constexpr std::array kOutputs{isotropic(At), deviation(At)};
    static constexpr std::array kCouplings{
        Coupling{divergence, 0, kOne}, Coupling{divergence, 1, kOne},
        Coupling{divergence, 2, kOne}, Coupling{along_x, 0, nx},
        Coupling{along_x, 5, ny},      Coupling{along_x, 4, nz},
        Coupling{along_y, 1, ny},      Coupling{along_y, 3, nz},
        Coupling{along_z, 2, nz},      Coupling{e, along_x, nx},
        Coupling{e, along_y, ny},      Coupling{e, along_z, nz},
        Coupling{a, divergence, k0},   Coupling{a, e, k1},
        Coupling{d, divergence, k1},   Coupling{d, e, k2},
    };
  };

  using Phases = List<Phase<AddVelocity<0>, AddVelocity<1>, AddVelocity<2>, AddVelocity<3>>,
                      Phase<AddStress<0>, AddStress<1>, AddStress<2>, AddStress<3>>>;
};

}  // namespace muster::seismic
