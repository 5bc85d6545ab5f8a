#include "collective/torus/thesis_times.h"

#include <algorithm>
#include <bit>

#include "machine/routing.h"
#include "machine/torus.h"
#include "result/time_base.h"

namespace muster {
namespace {

constexpr double kWordBytes = 4;
constexpr double kBytesPerSecond = 9e9;               // A.6
constexpr double kOperationsPerSecond = 262e12 / 64;  // A.1 to A.3: 4.09 TFLOPS per core; its elements are bytes
constexpr double kSecondsPerHop = 9e-9;               // A.8
constexpr double kHops = 18;                          // A.9: of 64 cores, the most of each step
constexpr double kSynchronisation = kHops * kSecondsPerHop;

struct Times {
  double sending = 0;
  double computing = 0;
};

Times times_of(const Request& request) {
  const double bytes = kWordBytes * static_cast<double>(request.count);
  return {.sending = bytes / kBytesPerSecond, .computing = bytes / kOperationsPerSecond};
}

Ticks ticks(const Request& request, double seconds) {
  const Torus& torus = *as<Torus>(request.machine);
  return nearest_ticks(Seconds(seconds), {.ticks_per_second = torus.clock.value(), .is_clock = true});
}

}  // namespace

Ticks thesis_time_of_whole_vectors(const Request& request) {
  const Times t = times_of(request);
  const auto steps = std::bit_width(static_cast<std::uint32_t>(rank_count(request.machine))) - 1;
  return ticks(request, steps * std::max(t.sending, t.computing) + 3 * kSynchronisation);
}

Ticks thesis_time_of_halved_vectors(const Request& request) {
  const Times t = times_of(request);
  return ticks(request, std::max(t.sending, t.computing) + t.sending + 5 * kSynchronisation);
}

}  // namespace muster
