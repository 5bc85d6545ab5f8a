// The progress of a job: its own words, on one line.
#include "cli/progress.h"

#include <unistd.h>

#include <iostream>

namespace muster {

std::ostream* progress_stream(const Arguments& arguments) {
  return !arguments.has("--quiet") && isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr;
}

ProgressOf::ProgressOf(Job& job, const Arguments& arguments) : job_(job), line_("", progress_stream(arguments)) {
  job_.progress = [this](const std::string& what) { line_.show(what); };
}

ProgressOf::~ProgressOf() { job_.progress = nullptr; }

}  // namespace muster
