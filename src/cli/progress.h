// What a long job does now, on standard error: on a terminal only, and not with --quiet.
#pragma once

#include <chrono>
#include <string>

#include "cli/arguments.h"
#include "plan/plan.h"

namespace muster {

/// Lets a job tell what it does while this object lives: one line that is drawn over itself, first after half a second,
/// and erased at the end.
class ProgressOf {
 public:
  ProgressOf(Job& job, const Arguments& arguments);
  ~ProgressOf();
  ProgressOf(const ProgressOf&) = delete;
  ProgressOf& operator=(const ProgressOf&) = delete;

 private:
  void show(const std::string& what);
  Job& job_;
  std::chrono::steady_clock::time_point first_;  ///< when to begin: quick work shows nothing
  bool is_drawn_ = false;
};

/// Whether somebody waits at a terminal and wants to see progress.
bool shows_progress(const Arguments& arguments);

}  // namespace muster
