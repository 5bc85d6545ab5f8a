// The shots of a run, handed out to those who make them at the same time.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <set>

namespace muster::seismic {

/// Shots from `first` to `last`, each handed out once. All functions may be called from any thread.
class ShotsInFlight {
 public:
  ShotsInFlight(std::int64_t first, std::int64_t last) : next_(first), last_(last) {}

  /// The next shot; none: all have been handed out, or the run ends.
  std::optional<std::int64_t> take();
  void finish(std::int64_t number);

  /// Whether all shots before this one are complete. Only such a shot may leave a checkpoint and tell the progress: there is one at a time.
  [[nodiscard]] bool is_first(std::int64_t number);

  /// The run ends with this error of a shot: of several, that of the shot with the least number counts.
  void fail(std::int64_t number, std::exception_ptr error);
  [[nodiscard]] bool has_failed();
  /// Throws that error, if there is one.
  void rethrow();

 private:
  std::mutex mutex_;
  std::int64_t next_;
  std::int64_t last_;
  std::set<std::int64_t> in_flight_;
  std::int64_t failed_ = 0;
  std::exception_ptr error_;
};

}  // namespace muster::seismic
