// Time that work takes.
#pragma once

#include <ctime>

namespace muster::seismic {

/// Of one thread, the time of the processor, to which other programs add nothing; of several, that of the wall.
class Stopwatch {
 public:
  explicit Stopwatch(int threads) : clock_(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC), start_(now()) {}

  /// Since the begin.
  [[nodiscard]] double seconds() const { return now() - start_; }

 private:
  [[nodiscard]] double now() const {
    timespec time{};
    clock_gettime(clock_, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  clockid_t clock_;
  double start_;
};

}  // namespace muster::seismic
