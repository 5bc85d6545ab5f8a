// Random numbers below a limit.
#include "base/random.h"

#include "base/error.h"

namespace muster {
std::uint64_t Random::below(std::uint64_t limit) {
  MUSTER_ASSERT(limit > 0, "no number is below 0");
  // The count of numbers from `first` on is a multiple of `limit`, so the remainder has no bias.
  const std::uint64_t first = (0 - limit) % limit;
  std::uint64_t number = bits();
  while (number < first) number = bits();
  return number % limit;
}

}  // namespace muster
