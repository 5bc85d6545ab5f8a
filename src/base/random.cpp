// Counter-based random numbers: Steele, Lea and Flood's SplitMix64, whose n-th number is a hash of seed + n * step.
#include "base/random.h"

#include "base/error.h"

namespace muster {
namespace {

std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio, odd
  return mix(seed + (index + 1) * kStep);
}

std::uint64_t Random::below(std::uint64_t limit) {
  MUSTER_ASSERT(limit > 0, "no number is below 0");
  // The numbers from `first` on are a whole multiple of `limit` many, so that the remainder has no bias.
  const std::uint64_t first = (0 - limit) % limit;
  std::uint64_t number = bits();
  while (number < first) number = bits();
  return number % limit;
}

}  // namespace muster
