// What a sweep over sizes found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "result/answer.h"

namespace muster {

/// One size of a sweep, with every algorithm that was asked for in the order of asking.
struct SweepSize {
  Question question;
  ParameterValues given = {};               ///< to all algorithms that have such a parameter
  std::optional<BoundAnswer> bound;         ///< the one that times are compared with: the largest that is proven
  std::vector<BoundAnswer> bounds;          ///< all that are known, as in a plan
  std::vector<CandidateAnswer> candidates;  ///< in the order of the sweep's algorithms
  std::vector<SkippedAnswer> skipped;       ///< those that do not support this size, or have no program for it
  std::string best;                         ///< the fastest: of what was simulated, else predicted; empty if none works
};

struct SweepAnswer {
  std::vector<std::string> algorithms;  ///< those that support at least one size
  std::vector<SweepSize> sizes;         ///< in the order of asking
  std::vector<std::string> parameters;  ///< of algorithms: those that a table shows for each size
  std::string remark;                   ///< what the predictions leave out on this machine
  bool simulated = false;               ///< simulations were asked for
  bool failed = false;                  ///< a candidate deadlocked or computed a wrong result
};

}  // namespace muster
