// A progress line for people who wait at a terminal.
#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace muster {
namespace {

constexpr std::chrono::milliseconds kQuick{500};
constexpr std::chrono::milliseconds kBetween{100};
constexpr std::string_view kErase = "\r\x1b[K";  // to the line's start, and clear it

std::ostream* terminal() { return ::isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr; }

}  // namespace

ProgressLine::ProgressLine(std::string title) : ProgressLine(std::move(title), terminal()) {}

ProgressLine::ProgressLine(std::string title, std::ostream* out, std::function<Clock::time_point()> now)
    : title_(std::move(title)), out_(out), now_(std::move(now)), next_(now_() + kQuick) {}

ProgressLine::~ProgressLine() {
  if (is_drawn_) *out_ << kErase << std::flush;
}

void ProgressLine::show(double fraction) {
  if (out_ == nullptr) return;
  const Clock::time_point now = now_();
  if (now < next_) return;
  next_ = now + kBetween;
  is_drawn_ = true;
  // A fraction that is no number shows as nothing done.
  const double percent = fraction > 0 ? 100 * std::min(fraction, 1.0) : 0;
  *out_ << fmt::format("{}{} {:3.0f}%", kErase, title_, percent) << std::flush;
}

}  // namespace muster
