// Exact solutions in a full space, for tests and benchmarks.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "app/seismic/file/gather.h"
#include "app/seismic/shot.h"

namespace muster::seismic {

using Vector = std::array<double, 3>;

struct Solid {
  double vp = 0;
  double vs = 0;
  double rho = 0;
};

/// Stokes' solution (Aki and Richards, eq. 4.23): what a force along axis j with the time function x does along axis i.
inline double stokes(const Solid& solid, const Vector& offset, std::size_t i, std::size_t j, double time,
                     const std::function<double(double)>& x) {
  const double r = std::hypot(offset[0], offset[1], offset[2]);
  const double along = offset[i] * offset[j] / (r * r);
  const double same = i == j ? 1 : 0;
  const double first = r / solid.vp;
  const double last = r / solid.vs;
  constexpr int kPieces = 240;  // Simpson's rule
  double integral = 0;
  for (int k = 0; k <= kPieces; ++k) {
    const double delay = first + (last - first) * k / kPieces;
    const double weight = k == 0 || k == kPieces ? 1 : k % 2 == 1 ? 4 : 2;
    integral += weight * delay * x(time - delay);
  }
  integral *= (last - first) / kPieces / 3;
  const double near = (3 * along - same) / (r * r * r) * integral;
  const double of_p = along / (solid.vp * solid.vp * r) * x(time - first);
  const double of_s = (along - same) / (solid.vs * solid.vs * r) * x(time - last);
  return (near + of_p - of_s) / (4 * std::numbers::pi * solid.rho);
}

/// A moment tensor is forces at points next to each other: the derivative with respect to the source's position.
inline double of_moment(const Solid& solid, const Vector& offset, std::size_t i, const std::array<double, 6>& moment,
                        double time, const std::function<double(double)>& x) {
  constexpr std::size_t kNumbers[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  constexpr double kApart = 0.05;
  double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double strength = moment[kNumbers[j][k]];
      if (strength == 0) continue;
      Vector behind = offset;  // the source moves forward, so the offset shrinks
      Vector before = offset;
      behind[k] -= kApart;
      before[k] += kApart;
      sum += strength * (stokes(solid, behind, i, j, time, x) - stokes(solid, before, i, j, time, x)) / (2 * kApart);
    }
  }
  return sum;
}

/// vx, vy and vz over time at a receiver: the relative L2 difference from the exact ones of a shot's first source.
inline double stokes_error(const Solid& solid, const Vector& offset, const Shot& shot,
                           const std::vector<Gather>& gathers, std::size_t receiver) {
  const Source& source = shot.sources.front();
  const Vector force{source.force.x, source.force.y, source.force.z};
  const std::function<double(double)> rate = [&](double time) {  // of the wavelet: velocities are wanted
    constexpr double kApart = 1e-5;
    return (source.wavelet.at(time + kApart) - source.wavelet.at(time - kApart)) / (2 * kApart);
  };
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::int64_t n = 0; n < gathers[i].samples; ++n) {
      const double time = gathers[i].start + gathers[i].interval * static_cast<double>(n);
      double expected = of_moment(solid, offset, i, source.moment, time, rate);
      for (std::size_t j = 0; j < 3; ++j) {
        if (force[j] != 0) expected += force[j] * stokes(solid, offset, i, j, time, rate);
      }
      error += std::pow(gathers[i].trace(receiver)[static_cast<std::size_t>(n)] - expected, 2);
      norm += expected * expected;
    }
  }
  return std::sqrt(error / norm);
}

/// Of the first trace of pressures: the relative L2 difference from exact(time).
template <class Exact>
double pressure_error(const Gather& gather, const Exact& exact) {
  double error = 0;
  double norm = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(gather.samples); ++n) {
    const double expected = exact(gather.interval * static_cast<double>(n));
    error += std::pow(gather.values[n] - expected, 2);
    norm += expected * expected;
  }
  return std::sqrt(error / norm);
}

}  // namespace muster::seismic
