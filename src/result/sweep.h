// The result of a sweep over sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "result/answer.h"

namespace muster {

/// One size of a sweep, with every requested algorithm, in the requested order.
struct SweepSize {
  Question question;
  ParameterValues given = {};               ///< to all algorithms that have such a parameter
  std::optional<BoundAnswer> bound;         ///< the largest proven bound, which times are compared with
  std::vector<BoundAnswer> bounds;          ///< all that are known, as in a plan
  std::vector<CandidateAnswer> candidates;  ///< in the order of the sweep's algorithms
  std::vector<SkippedAnswer> skipped;       ///< those that do not support this size, or have no program for it
  std::string best;                         ///< the fastest by simulation, otherwise by prediction; empty if none works
};

struct SweepAnswer {
  std::vector<std::string> algorithms;  ///< those that support at least one size
  std::vector<SweepSize> sizes;         ///< in the requested order
  std::vector<std::string> parameters;  ///< of algorithms: those that a table shows for each size
  std::string remark;                   ///< what the formulas do not cover on this machine
  bool simulated = false;               ///< simulations were requested
  bool failed = false;                  ///< a candidate deadlocked or computed a wrong result
};

}  // namespace muster
