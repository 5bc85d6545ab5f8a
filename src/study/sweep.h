// Many sizes at once: what each algorithm is predicted to take, and takes in the simulator.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "plan/stages.h"
#include "result/sweep.h"

namespace muster {

struct SweepRequest {
  std::vector<Job> jobs;                 ///< the sizes, in the order of the answer; one collective, one family
  std::vector<std::string> algorithms;   ///< empty: every one that supports at least one size
  std::vector<Parameters> given;         ///< for all algorithms that have such a parameter: one for each job, or empty
  bool simulate = false;                 ///< also run what stays within the jobs' hop budgets
  std::vector<std::string> unsimulated;  ///< but not these
  Ticks longest;                         ///< nor what is predicted to take longer; 0: no limit
  bool by_paper = false;                 ///< predictions by the sources' formulas
  unsigned threads = 0;                  ///< 0: all cores
  std::function<void(double)> progress;
};

/// Throws InputError for a job that makes no sense, and for a named algorithm that supports none of the sizes. The
/// answer does not depend on the number of threads.
SweepAnswer sweep(const SweepRequest& request, const RunFunction& run = run_stages);

}  // namespace muster
