#include "app/seismic/differences.h"

#include <cmath>

#include "base/error.h"

namespace muster::seismic {
namespace {

std::size_t radius_of(int order) {
  MUSTER_ASSERT(order >= kLeastOrder && order <= kMostOrder && order % 2 == 0, "differences of order {}", order);
  return static_cast<std::size_t>(order) / 2;
}

/// 1 / spacing^2, summed over the axes.
double inverse_squares(const PerAxis<double>& spacing) {
  double sum = 0;
  for (const Axis axis : kAxes) sum += 1 / (spacing[axis] * spacing[axis]);
  return sum;
}

}  // namespace

std::vector<double> staggered_weights(int order, Weights kind) {
  const std::size_t radius = radius_of(order);
  if (kind == Weights::dispersion) return optimised_staggered_weights(radius);
  std::vector<double> weights;
  for (std::size_t m = 1; m <= radius; ++m) {
    const double odd = 2 * static_cast<double>(m) - 1;
    double weight = 1 / odd;
    for (std::size_t i = 1; i <= radius; ++i) {
      const double other = 2 * static_cast<double>(i) - 1;
      if (i != m) weight *= other * other / (other * other - odd * odd);
    }
    weights.push_back(weight);
  }
  return weights;
}

std::vector<double> central_weights(int order, Weights kind) {
  const std::size_t radius = radius_of(order);
  if (kind == Weights::dispersion) return optimised_central_weights(radius);
  std::vector<double> weights;
  for (std::size_t m = 1; m <= radius; ++m) {
    const auto at = static_cast<double>(m);
    double weight = 1 / (at * at);
    for (std::size_t i = 1; i <= radius; ++i) {
      const auto other = static_cast<double>(i);
      if (i != m) weight *= other * other / (other * other - at * at);
    }
    weights.push_back(weight);
  }
  return weights;
}

double staggered_dispersion(const std::vector<double>& weights, double wave_number) {
  double sum = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    sum += 2 * weights[m] * std::sin((static_cast<double>(m) + 0.5) * wave_number);
  }
  return sum / wave_number - 1;
}

double central_dispersion(const std::vector<double>& weights, double wave_number) {
  double sum = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    const double half = std::sin(static_cast<double>(m + 1) * wave_number / 2);
    sum += 4 * weights[m] * half * half;
  }
  return std::sqrt(sum) / wave_number - 1;
}

double staggered_limit(const std::vector<double>& weights, const PerAxis<double>& spacing) {
  // The wave of two cells per wavelength is the one that grows first: there all weights add up.
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return 1 / (sum * std::sqrt(inverse_squares(spacing)));
}

double central_limit(const std::vector<double>& weights, const PerAxis<double>& spacing) {
  double sum = 0;  // of the same wave: f(x + m h) is f(x) or -f(x)
  for (std::size_t m = 1; m <= weights.size(); ++m) sum += m % 2 == 0 ? 0 : 4 * weights[m - 1];
  return 2 / std::sqrt(sum * inverse_squares(spacing));
}

}  // namespace muster::seismic
