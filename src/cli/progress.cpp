// The progress of a job that cannot say how much is left: its own words, drawn over each other.
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/one_line.h"

namespace muster {
namespace {

using std::chrono::steady_clock;
constexpr const char* kErase = "\r\033[K";

}  // namespace

bool shows_progress(const Arguments& arguments) { return !arguments.quiet && isatty(STDERR_FILENO) != 0; }

ProgressOf::ProgressOf(Job& job, const Arguments& arguments)
    : job_(job), first_(steady_clock::now() + std::chrono::milliseconds(500)) {
  if (shows_progress(arguments)) job_.progress = [this](const std::string& what) { show(what); };
}

ProgressOf::~ProgressOf() {
  job_.progress = nullptr;
  if (is_drawn_) fmt::print(stderr, "{}", kErase);
}

void ProgressOf::show(const std::string& what) {
  if (steady_clock::now() < first_) return;
  is_drawn_ = true;
  fmt::print(stderr, "{}{}", kErase, one_line(what, 78));
  std::fflush(stderr);
}

}  // namespace muster
