// Finite differences: their weights, and what time step they allow.
#pragma once

#include <vector>

#include "app/seismic/axis.h"

namespace muster::seismic {

inline constexpr int kLeastOrder = 2;
inline constexpr int kMostOrder = 16;

/// How weights are found: by Taylor expansion, of the highest order that they can have; or, of order 2, so that the phase velocity
/// is right to kMostDispersion up to as short waves as they can have it (optimised_weights.cpp).
enum class Weights : unsigned char { taylor, dispersion };
inline constexpr double kMostDispersion = 5e-4;

/// Weights c_1 ... c_M of f(x + (m - 1/2) h) - f(x - (m - 1/2) h) for h f'(x); `order` is 2 M.
std::vector<double> staggered_weights(int order, Weights kind = Weights::taylor);

/// Weights c_1 ... c_M of f(x + m h) + f(x - m h) - 2 f(x) for h^2 f''(x); `order` is 2 M.
std::vector<double> central_weights(int order, Weights kind = Weights::taylor);

/// Of Weights::dispersion.
std::vector<double> optimised_staggered_weights(std::size_t radius);
std::vector<double> optimised_central_weights(std::size_t radius);

/// By how much the phase velocity of a wave along an axis is wrong, time apart: its ratio to the true one less 1. `wave_number` is times
/// the spacing: 2 pi over cells per wavelength.
double staggered_dispersion(const std::vector<double>& weights, double wave_number);
double central_dispersion(const std::vector<double>& weights, double wave_number);

/// The largest time step times velocity with which leapfrog is stable, for a first-order system on a staggered grid, and for the
/// second-order equation on nodes. `spacing` in metres.
double staggered_limit(const std::vector<double>& weights, const PerAxis<double>& spacing);
double central_limit(const std::vector<double>& weights, const PerAxis<double>& spacing);

}  // namespace muster::seismic
