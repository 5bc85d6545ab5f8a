// Sums and products that stop at the largest number instead of overflowing: for loads and predictions, where "more than
// can be counted" is as good as the number itself.
#pragma once

#include <cstdint>
#include <limits>

namespace muster {

inline constexpr std::int64_t kMostCounted = std::numeric_limits<std::int64_t>::max();

/// a + b, or kMostCounted if that is more. Neither is negative.
constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMostCounted : sum;
}

/// a * b, or kMostCounted if that is more. Neither is negative.
constexpr std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMostCounted : product;
}

}  // namespace muster
