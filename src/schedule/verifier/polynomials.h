// Fingerprints of linear combinations. What an element e of a buffer holds is a sum of contributions
//   c1 c2 ... x a[e + j] x (element e + k of a buffer of some node, as it was in the beginning),
// a polynomial in these variables: r for each node and buffer, c for each coefficient, a for each array of each node, z for the
// shift of elements (z^k) and y for the shift of arrays (y^j). Its fingerprint is its value at a random point modulo the prime p =
// 2^61 - 1. Contributions without an array and with one have a sum each, so that shifting a value by s multiplies the first with
// z^s and the second with (z y)^s, and a third kind, with two arrays, is refused. Zero is the fingerprint 0.
//
// Error. Two different polynomials agree at a random point with probability at most d / p, d being the degree of their difference
// once all exponents are made positive (Schwartz, Zippel): 1 for r, 1 for a, the number of coefficients that were multiplied along
// a path, and twice the range of the shifts for each of z and y. A shift is always the difference of two elements that some span
// or point of a contract names, so it lies between -s and s, s being the highest element: d <= 2 + coefficients + 4 s. The bound for all comparisons
// is their number times that.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "schedule/schedule.h"

namespace muster::verifier {

inline constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

class Polynomials {
 public:
  struct Value {
    std::uint64_t plain = 0;       ///< contributions without an array
    std::uint64_t with_array = 0;  ///< and with one
  };

  Polynomials() = default;
  Polynomials(const Schedule& schedule, std::uint64_t seed);

  static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a + b >= kPrime ? a + b - kPrime : a + b; }
  static Value add(const Value& a, const Value& b) { return {add(a.plain, b.plain), add(a.with_array, b.with_array)}; }

  /// An element of a buffer of a node, as it was in the beginning.
  [[nodiscard]] Value of(NodeId node, Buffer buffer) const;
  /// The value, its elements counted from ones that are `by` lower.
  Value shifted(const Value& value, std::int64_t by);
  [[nodiscard]] Value times(const Value& value, std::int32_t coefficient) const;
  /// Times an array of `node`; nothing if an array is in the value already.
  [[nodiscard]] std::optional<Value> times_array(const Value& value, std::int32_t coefficient, NodeId node) const;

  /// So many coefficients were multiplied along some path.
  void note_factors(std::int64_t factors) { factors_ = factors > factors_ ? factors : factors_; }
  /// d of the header comment.
  [[nodiscard]] double degree() const { return 2 + static_cast<double>(factors_) + 4 * static_cast<double>(span_); }

 private:
  struct Powers {
    std::uint64_t z = 1;
    std::uint64_t zy = 1;
  };
  const Powers& powers(std::int64_t exponent);

  std::uint64_t seed_ = 0;
  std::uint64_t z_ = 0;
  std::uint64_t zy_ = 0;
  std::int64_t span_ = 0;  ///< s of the header comment
  std::int64_t factors_ = 0;
  std::unordered_map<std::int64_t, Powers> powers_;
};

}  // namespace muster::verifier
