#include "app/seismic/medium.h"

#include <cmath>

namespace muster::seismic {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

constexpr std::array<std::array<std::size_t, 2>, 6> kVoigt{{{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};

/// With the symmetry axis along z.
Stiffness vertical(const Medium& medium) {
  const Moduli moduli = moduli_of(medium);
  Stiffness c{};
  c[0][0] = c[1][1] = medium.rho * moduli.c11;
  c[2][2] = medium.rho * moduli.c33;
  c[0][1] = c[1][0] = medium.rho * (moduli.c11 - 2 * moduli.c66);
  c[0][2] = c[2][0] = c[1][2] = c[2][1] = medium.rho * moduli.c13;
  c[3][3] = c[4][4] = medium.rho * moduli.c44;
  c[5][5] = medium.rho * moduli.c66;
  return c;
}

/// Turns z by theta towards x, then everything about z by phi. The columns are where x, y and z go.
Matrix rotation(double theta, double phi) {
  const double ct = std::cos(theta);
  const double st = std::sin(theta);
  const double cp = std::cos(phi);
  const double sp = std::sin(phi);
  return {{{cp * ct, -sp, cp * st}, {sp * ct, cp, sp * st}, {-st, 0, ct}}};
}

/// Bond's matrix: stresses in Voigt's order turn with it.
Stiffness bond(const Matrix& r) {
  Stiffness m{};
  for (std::size_t a = 0; a < 6; ++a) {
    const auto [i, j] = kVoigt[a];
    for (std::size_t b = 0; b < 6; ++b) {
      const auto [k, l] = kVoigt[b];
      m[a][b] = k == l ? r[i][k] * r[j][k] : r[i][k] * r[j][l] + r[i][l] * r[j][k];
    }
  }
  return m;
}

}  // namespace

std::array<double, 3> axis_of(const Medium& medium) {
  const double st = std::sin(medium.theta);
  return {st * std::cos(medium.phi), st * std::sin(medium.phi), std::cos(medium.theta)};
}

Moduli moduli_of(const Medium& medium) {
  const double c33 = medium.vp * medium.vp;
  const double c44 = medium.vs * medium.vs;
  return {.c11 = c33 * (1 + 2 * medium.epsilon),
          .c13 = std::sqrt((c33 - c44) * (c33 * (1 + 2 * medium.delta) - c44)) - c44,
          .c33 = c33,
          .c44 = c44,
          .c66 = c44 * (1 + 2 * medium.gamma)};
}

Stiffness stiffness_of(const Medium& medium) {
  const Stiffness c = vertical(medium);
  if (medium.theta == 0) return c;
  const Stiffness m = bond(rotation(medium.theta, medium.phi));
  Stiffness turned{};
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = a; b < 6; ++b) {
      double sum = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        for (std::size_t l = 0; l < 6; ++l) sum += m[a][k] * c[k][l] * m[b][l];
      }
      turned[a][b] = turned[b][a] = sum;
    }
  }
  return turned;
}

bool is_positive_definite(const Stiffness& stiffness) {
  // Cholesky's factorisation has positive pivots.
  Stiffness l{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = stiffness[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0)) return false;
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  return true;
}

}  // namespace muster::seismic
