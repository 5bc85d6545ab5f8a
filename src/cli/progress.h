// What a long job does now, on standard error: on a terminal only, and not with --quiet.
#pragma once

#include <iosfwd>

#include "base/progress.h"
#include "cli/arguments.h"
#include "plan/plan.h"

namespace muster {

/// Lets a job tell what it does while this object lives.
class ProgressOf {
 public:
  ProgressOf(Job& job, const Arguments& arguments);
  ~ProgressOf();
  ProgressOf(const ProgressOf&) = delete;
  ProgressOf& operator=(const ProgressOf&) = delete;

 private:
  Job& job_;
  ProgressLine line_;
};

/// Standard error if someone waits there at a terminal and wants to see progress, else null.
std::ostream* progress_stream(const Arguments& arguments);

}  // namespace muster
