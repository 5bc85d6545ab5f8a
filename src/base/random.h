// Seeded random numbers. No global state: the same seed gives the same numbers on every machine.
// Counter-based: Steele, Lea and Flood's SplitMix64, whose n-th number is a hash of seed + n * step.
#pragma once

#include <cstdint>

namespace muster {

/// Random bits at an index of a sequence, without the numbers before it: for inputs that are made from (rank, element,
/// seed) instead of being stored.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio, odd
  std::uint64_t bits = seed + (index + 1) * kStep;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t first, std::uint64_t second) {
  return random_bits(random_bits(seed, first), second);
}

/// The sequence random_bits(seed, 0), random_bits(seed, 1), ...
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t bits() { return random_bits(seed_, next_++); }
  /// A number from 0 to limit - 1, each equally likely. `limit` is not 0.
  std::uint64_t below(std::uint64_t limit);
  /// A number from 0 (included) to 1 (excluded).
  double unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

  // What the algorithms of <algorithm> ask of a generator.
  using result_type = std::uint64_t;  // NOLINT(readability-identifier-naming): the standard's name
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() { return bits(); }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

}  // namespace muster
