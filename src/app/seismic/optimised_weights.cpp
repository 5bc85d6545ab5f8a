// Weights whose largest error of the phase velocity, over all waves down to the shortest that it is asked of, is as small as possible. Such an
// error reaches its largest value as often as there are weights, with alternating signs (Chebyshev): Remez' exchange finds them. Long
// waves stay exact: weights are of order 2.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "app/seismic/differences.h"

namespace muster::seismic {
namespace {

/// One kind of difference: what a weight contributes to the ratio of the difference to the derivative, at a wave number, and at 0.
struct Kind {
  std::function<double(std::size_t, double)> share;
  std::function<double(std::size_t)> share_of_long_waves;
  double tolerance;  ///< of the ratio
};

/// Solves a x = b, by Gauss with pivots. The matrix has a row per equation.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < n; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) b[row] -= a[row][k] * b[k];
    b[row] /= a[row][row];
  }
  return b;
}

double error_at(const Kind& kind, const std::vector<double>& weights, double wave_number) {
  double ratio = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) ratio += weights[m] * kind.share(m, wave_number);
  return ratio - 1;
}

/// The weights whose error is the same, but for its sign, at all of these wave numbers; and that error.
std::pair<std::vector<double>, double> level(const Kind& kind, const std::vector<double>& wave_numbers) {
  const std::size_t radius = wave_numbers.size();
  std::vector<std::vector<double>> equations(radius + 1, std::vector<double>(radius + 1));
  for (std::size_t m = 0; m < radius; ++m) equations[0][m] = kind.share_of_long_waves(m);
  for (std::size_t i = 0; i < radius; ++i) {
    for (std::size_t m = 0; m < radius; ++m) equations[i + 1][m] = kind.share(m, wave_numbers[i]);
    equations[i + 1][radius] = i % 2 == 0 ? -1 : 1;
  }
  std::vector<double> solution = solve(std::move(equations), std::vector<double>(radius + 1, 1));
  const double error = std::abs(solution.back());
  solution.pop_back();
  return {std::move(solution), error};
}

/// Where the error is largest between its changes of sign, up to `shortest`.
std::vector<double> extrema(const Kind& kind, const std::vector<double>& weights, double shortest) {
  constexpr int kSamples = 1000;
  std::vector<double> places;
  double largest = 0;
  for (int i = 1; i <= kSamples; ++i) {
    const double at = shortest * i / kSamples;
    const double error = error_at(kind, weights, at);
    const bool changes_sign = !places.empty() && (error > 0) != (largest > 0);
    if (places.empty() || changes_sign) {
      places.push_back(at);
      largest = error;
    } else if (std::abs(error) > std::abs(largest)) {
      places.back() = at;
      largest = error;
    }
  }
  return places;
}

/// The best weights for waves down to `shortest`, and their error.
std::pair<std::vector<double>, double> best_down_to(const Kind& kind, std::size_t radius, double shortest) {
  std::vector<double> places;
  for (std::size_t i = 1; i <= radius; ++i) {
    places.push_back(shortest * std::sin(std::numbers::pi / 2 * static_cast<double>(i) / static_cast<double>(radius)));
  }
  constexpr int kMostRounds = 50;
  for (int round = 0; round < kMostRounds; ++round) {
    auto [weights, error] = level(kind, places);
    std::vector<double> next = extrema(kind, weights, shortest);
    // Rounding can add changes of sign next to 0, where the error has none.
    while (next.size() > radius) next.erase(next.begin());
    if (next.size() < radius) break;
    double most = 0;
    for (const double place : next) most = std::max(most, std::abs(error_at(kind, weights, place)));
    places = std::move(next);
    if (most <= error * (1 + 1e-6)) break;
  }
  return level(kind, places);
}

/// For the shortest waves at which the error is still within the tolerance.
std::vector<double> optimised(const Kind& kind, std::size_t radius) {
  double good = 0.1;
  double bad = std::numbers::pi;
  constexpr int kHalvings = 30;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (good + bad) / 2;
    (best_down_to(kind, radius, middle).second <= kind.tolerance ? good : bad) = middle;
  }
  return best_down_to(kind, radius, good).first;
}

}  // namespace

std::vector<double> optimised_staggered_weights(std::size_t radius) {
  if (radius == 1) return staggered_weights(2);
  const auto place = [](std::size_t m) { return static_cast<double>(m) + 0.5; };
  return optimised({.share = [&](std::size_t m, double k) { return 2 * std::sin(place(m) * k) / k; },
                    .share_of_long_waves = [&](std::size_t m) { return 2 * place(m); },
                    .tolerance = kMostDispersion},
                   radius);
}

std::vector<double> optimised_central_weights(std::size_t radius) {
  if (radius == 1) return central_weights(2);
  const auto place = [](std::size_t m) { return static_cast<double>(m + 1); };
  return optimised({.share =
                        [&](std::size_t m, double k) {
                          const double half = std::sin(place(m) * k / 2);
                          return 4 * half * half / (k * k);
                        },
                    .share_of_long_waves = [&](std::size_t m) { return place(m) * place(m); },
                    .tolerance = 2 * kMostDispersion},  // of the square
                   radius);
}

}  // namespace muster::seismic
