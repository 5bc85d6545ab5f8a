// Time that work takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

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

/// Of work that is done again and again: the median of so many runs as take this long, and at most `most_runs`.
template <class Work>
double median_seconds(const Work& work, double most_seconds, std::int64_t most_runs = INT64_MAX) {
  using Steady = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (double sum = 0; sum < most_seconds && static_cast<std::int64_t>(seconds.size()) < most_runs;
       sum += seconds.back()) {
    const Steady::time_point start = Steady::now();
    work();
    seconds.push_back(std::chrono::duration<double>(Steady::now() - start).count());
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::ranges::nth_element(seconds, middle);
  return *middle;
}

}  // namespace muster::seismic
