// A progress line for people who wait at a terminal.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace muster {

/// One line that is drawn over itself, first after half a second, then at most ten times a second, and erased at the
/// end: quick work shows nothing.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// On standard error if that is a terminal; silent otherwise.
  explicit ProgressLine(std::string title);
  /// On `out`; silent if it is null.
  ProgressLine(std::string title, std::ostream* out, std::function<Clock::time_point()> now = Clock::now);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Says how much is done, from 0 to 1. Cheap enough to call in a loop.
  void show(double fraction);
  /// Says what is being done, where it is unknown how much is left.
  void show(std::string_view what);

 private:
  [[nodiscard]] bool is_due() const;
  void draw(std::string_view text);

  std::string title_;
  std::ostream* out_;
  std::function<Clock::time_point()> now_;
  Clock::time_point next_;  ///< when to draw again
  bool is_drawn_ = false;
};

}  // namespace muster
