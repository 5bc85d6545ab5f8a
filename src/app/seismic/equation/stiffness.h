// The stiffness of an anisotropic medium as parameters: 21 of them, in Voigt's order.
#pragma once

#include <array>

#include "app/seismic/equation/averages.h"
#include "app/seismic/equation/equation.h"

namespace muster::seismic {

inline constexpr int kStiffnesses = 21;

/// The component of stress on a plane across `b` in the direction of `a`: xx, yy, zz, yz, xz, xy.
constexpr int voigt(Axis a, Axis b) {
  const int i = static_cast<int>(a);
  const int j = static_cast<int>(b);
  return i == j ? i : 6 - i - j;
}

/// The number of the parameter c_ab.
constexpr int stiffness(int a, int b) { return a <= b ? a * (13 - a) / 2 - a + b : stiffness(b, a); }

/// c_ab at a node, times the time step.
template <int A, int B>
double stiffness_value(std::span<const Node* const> nodes, double time_step) {
  return time_step * nodes.front()->stiffness[static_cast<std::size_t>(A)][static_cast<std::size_t>(B)];
}

/// The parameters c_11, c_12, ..., c_66, then others.
template <class... Others>
constexpr std::array<Parameter, kStiffnesses + sizeof...(Others)> with_stiffness(Others... others) {
  return {Parameter{"c11", kNode, stiffness_value<0, 0>}, Parameter{"c12", kNode, stiffness_value<0, 1>},
          Parameter{"c13", kNode, stiffness_value<0, 2>}, Parameter{"c14", kNode, stiffness_value<0, 3>},
          Parameter{"c15", kNode, stiffness_value<0, 4>}, Parameter{"c16", kNode, stiffness_value<0, 5>},
          Parameter{"c22", kNode, stiffness_value<1, 1>}, Parameter{"c23", kNode, stiffness_value<1, 2>},
          Parameter{"c24", kNode, stiffness_value<1, 3>}, Parameter{"c25", kNode, stiffness_value<1, 4>},
          Parameter{"c26", kNode, stiffness_value<1, 5>}, Parameter{"c33", kNode, stiffness_value<2, 2>},
          Parameter{"c34", kNode, stiffness_value<2, 3>}, Parameter{"c35", kNode, stiffness_value<2, 4>},
          Parameter{"c36", kNode, stiffness_value<2, 5>}, Parameter{"c44", kNode, stiffness_value<3, 3>},
          Parameter{"c45", kNode, stiffness_value<3, 4>}, Parameter{"c46", kNode, stiffness_value<3, 5>},
          Parameter{"c55", kNode, stiffness_value<4, 4>}, Parameter{"c56", kNode, stiffness_value<4, 5>},
          Parameter{"c66", kNode, stiffness_value<5, 5>}, others...};
}

/// Values 0 to 5 are strain rates, 6 to 11 stresses: stress_a += sum over b of c_ab strain_b.
constexpr std::array<Coupling, 36> hooke() {
  std::array<Coupling, 36> couplings{};
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) {
      couplings[static_cast<std::size_t>(6 * a + b)] = {static_cast<std::size_t>(6 + a), static_cast<std::size_t>(b),
                                                        stiffness(a, b)};
    }
  }
  return couplings;
}

/// The same without what a shear stress takes of its own strain rate.
constexpr std::array<Coupling, 33> hooke_across() {
  std::array<Coupling, 33> couplings{};
  std::size_t next = 0;
  for (const Coupling& coupling : hooke()) {
    const bool is_own = coupling.from + 6 == coupling.to && coupling.from >= 3;
    if (!is_own) couplings[next++] = coupling;
  }
  return couplings;
}

}  // namespace muster::seismic
