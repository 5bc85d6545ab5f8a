#include "app/seismic/waves.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muster::seismic {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr int kDirections = 48;  ///< from pole to pole; twice as many around

std::size_t voigt_of(std::size_t i, std::size_t j) { return i == j ? i : 6 - i - j; }

/// Christoffel's matrix: its eigenvalues are squared phase velocities, its eigenvectors polarisations.
Matrix christoffel(const Stiffness& c, double density, const Vector& direction) {
  Matrix matrix{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t l = 0; l < 3; ++l) {
          matrix[i][k] += c[voigt_of(i, j)][voigt_of(k, l)] * direction[j] * direction[l] / density;
        }
      }
    }
  }
  return matrix;
}

/// Turns the plane of i and j so that matrix[i][j] becomes 0.
void turn(Matrix& matrix, Matrix& vectors, std::size_t i, std::size_t j) {
  if (matrix[i][j] == 0) return;
  const double angle = 0.5 * std::atan2(2 * matrix[i][j], matrix[j][j] - matrix[i][i]);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  for (std::size_t k = 0; k < 3; ++k) {
    const double first = matrix[k][i];
    matrix[k][i] = c * first - s * matrix[k][j];
    matrix[k][j] = s * first + c * matrix[k][j];
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double first = matrix[i][k];
    matrix[i][k] = c * first - s * matrix[j][k];
    matrix[j][k] = s * first + c * matrix[j][k];
    const double vector = vectors[k][i];
    vectors[k][i] = c * vector - s * vectors[k][j];
    vectors[k][j] = s * vector + c * vectors[k][j];
  }
}

struct PlaneWaves {
  Vector squares{};  ///< of the phase velocities
  Matrix vectors{};  ///< polarisations in columns
};

/// Jacobi's method.
PlaneWaves plane_waves(Matrix matrix) {
  PlaneWaves waves{.squares = {}, .vectors = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    turn(matrix, waves.vectors, 0, 1);
    turn(matrix, waves.vectors, 0, 2);
    turn(matrix, waves.vectors, 1, 2);
  }
  for (std::size_t i = 0; i < 3; ++i) waves.squares[i] = matrix[i][i];
  return waves;
}

/// Phase slowness times group velocity along each axis.
Vector products(const Stiffness& c, double density, const Vector& direction, const PlaneWaves& waves,
                std::size_t which) {
  Vector q{};
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) {
          q[j] += c[voigt_of(i, j)][voigt_of(k, l)] * waves.vectors[i][which] * waves.vectors[k][which] * direction[l];
        }
      }
    }
    q[j] *= direction[j] / (density * waves.squares[which]);
  }
  return q;
}

}  // namespace

Waves waves_of(const Stiffness& stiffness, double density) {
  double fastest = 0;
  double slowest = 0;
  double least = 0;
  for (int a = 0; a <= kDirections; ++a) {
    for (int b = 0; b < 2 * kDirections; ++b) {
      const double theta = std::numbers::pi * a / kDirections;
      const double phi = std::numbers::pi * b / kDirections;
      const Vector direction{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
      const PlaneWaves waves = plane_waves(christoffel(stiffness, density, direction));
      fastest = std::max(fastest, *std::ranges::max_element(waves.squares));
      for (std::size_t which = 0; which < 3; ++which) {
        if (waves.squares[which] < 1e-9 * fastest) continue;  // fluids have waves that do not travel
        if (slowest == 0 || waves.squares[which] < slowest) slowest = waves.squares[which];
        for (const double q : products(stiffness, density, direction, waves, which)) least = std::min(least, q);
      }
    }
  }
  constexpr double kRounding = 1e-9;
  return {.fastest = std::sqrt(fastest),
          .slowest = std::sqrt(slowest),
          .layer_ratio = least < -kRounding ? -least / (1 - least) : 0};
}

Stiffness acoustic_stiffness_of(const Medium& medium) {
  const double modulus = medium.rho * medium.vp * medium.vp;
  const double across = 1 + 2 * medium.epsilon;
  const double mixed = std::sqrt(1 + 2 * medium.delta);
  const std::array<double, 3> n = axis_of(medium);
  const std::array<double, 6> nn{n[0] * n[0], n[1] * n[1], n[2] * n[2], n[1] * n[2], n[0] * n[2], n[0] * n[1]};
  Stiffness c{};
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = 0; b < 6; ++b) {
      const double is_normal_a = a < 3 ? 1 : 0;
      const double is_normal_b = b < 3 ? 1 : 0;
      c[a][b] = modulus *
                (across * is_normal_a * is_normal_b + (mixed - across) * (is_normal_a * nn[b] + nn[a] * is_normal_b) +
                 (across - 2 * mixed + 1) * nn[a] * nn[b]);
    }
  }
  return c;
}

}  // namespace muster::seismic
