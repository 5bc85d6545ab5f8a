// Symbolic values: which ranks' elements have been combined into one. Up to a number of nodes they are kept exactly, as
// a set and the subset that occurs more than once; above it as fingerprints.
//
// A fingerprint is the sum of a pseudo-random number r(origin) per contribution, modulo the prime p = 2^61 - 1, and
// the number of contributions. Two different collections of equally many contributions (fewer than p) have equal sums
// with probability at most 1 / p over the choice of r.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "schedule/schedule.h"
#include "schedule/verify.h"

namespace muster::verifier {

inline constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

/// Exact: `print` numbers a set in the table. Otherwise a fingerprint.
struct Value {
  std::uint64_t print = 0;
  std::uint64_t count = 0;  ///< of contributions; saturates
  bool operator==(const Value&) const = default;
};

class Contributions {
 public:
  Contributions(const Schedule& schedule, const VerifyOptions& options);

  /// An element of `buffer` of `node`, as it was in the beginning.
  Value of(NodeId node, Buffer buffer);
  Value add(const Value& a, const Value& b);
  /// Whether all contributions of `expected` are in `value`, perhaps repeated, and no others. Only when exact.
  [[nodiscard]] bool repeats(const Value& value, const Value& expected) const;
  [[nodiscard]] bool exact() const { return exact_; }

 private:
  using Words = std::vector<std::uint64_t>;
  struct Hash {
    std::size_t operator()(const Words& words) const;
  };
  std::uint64_t number_of(Words words);
  [[nodiscard]] std::size_t bit_of(NodeId node, Buffer buffer) const;

  NodeId nodes_;
  std::uint64_t seed_;
  bool exact_;
  std::size_t words_ = 0;           ///< per plane of a set: present, then present more than once
  std::vector<const Words*> sets_;  ///< keys of numbers_
  std::unordered_map<Words, std::uint64_t, Hash> numbers_;
};

}  // namespace muster::verifier
