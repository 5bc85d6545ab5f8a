// Finite differences: their weights, and what time step they allow.
#pragma once

#include <vector>

#include "app/seismic/axis.h"

namespace muster::seismic {

inline constexpr int kLeastOrder = 2;
inline constexpr int kMostOrder = 16;

/// Weights c_1 ... c_M of f(x + (m - 1/2) h) - f(x - (m - 1/2) h) for h f'(x), of order 2 M, by Taylor expansion.
std::vector<double> staggered_weights(int order);

/// Weights c_1 ... c_M of f(x + m h) + f(x - m h) - 2 f(x) for h^2 f''(x), of order 2 M, by Taylor expansion.
std::vector<double> central_weights(int order);

/// The largest time step times velocity with which leapfrog is stable, for a first-order system on a staggered grid, and for the
/// second-order equation on nodes. `spacing` in metres.
double staggered_limit(const std::vector<double>& weights, const PerAxis<double>& spacing);
double central_limit(const std::vector<double>& weights, const PerAxis<double>& spacing);

}  // namespace muster::seismic
