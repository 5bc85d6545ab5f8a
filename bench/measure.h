// A benchmark against a target: processor time as a ratio to it, the peak memory, and whether the answer is right.
#pragma once

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

namespace muster {

inline double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// `run` says what is wrong with its answer; nothing if it is right. It is repeated `repeats` times for one of `runs`
/// measurements. Prints the best and the middle one; `target` is in seconds.
template <class Run>
bool measure(const std::string& name, double target, int repeats, Run run, int runs = 20) {
  std::vector<double> seconds;
  std::string trouble;
  for (int i = 0; i < runs; ++i) {
    const std::clock_t start = std::clock();
    for (int r = 0; r < repeats && trouble.empty(); ++r) trouble = run();
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / repeats);
  }
  std::sort(seconds.begin(), seconds.end());
  fmt::print("{}: {:.3f} ms, {:.2f} of the target (middle of {}: {:.2f}); peak memory so far {:.1f} MB; {}\n", name,
             seconds.front() * 1e3, seconds.front() / target, runs, seconds[seconds.size() / 2] / target,
             peak_megabytes(), trouble.empty() ? "right" : "WRONG: " + trouble);
  return trouble.empty();
}

}  // namespace muster
