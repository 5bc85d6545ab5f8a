// A progress line for people who wait at a terminal.
#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/one_line.h"

namespace muster {
namespace {

constexpr std::chrono::milliseconds kQuick{500};
constexpr std::chrono::milliseconds kBetween{100};
constexpr std::size_t kWidth = 78;               // fits on one line of a terminal
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
  // A fraction that is not a number shows as nothing done.
  if (is_due()) draw(fmt::format("{} {:3.0f}%", title_, fraction > 0 ? 100 * std::min(fraction, 1.0) : 0));
}

void ProgressLine::show(std::string_view what) {
  if (is_due()) draw(one_line(what, kWidth));
}

bool ProgressLine::is_due() const { return out_ != nullptr && now_() >= next_; }

void ProgressLine::draw(std::string_view text) {
  next_ = now_() + kBetween;
  is_drawn_ = true;
  *out_ << kErase << text << std::flush;
}

}  // namespace muster
