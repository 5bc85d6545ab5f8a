// `--root any`: the user does not care where the result ends up, so the chooser picks the root.
#pragma once

#include <string>
#include <vector>

#include "plan/stages.h"

namespace muster {

/// Which algorithm the root is for: all that support the job, or the named one with what is given of its parameters.
struct RootRequest {
  Job job;                     ///< of a collective that has a root; its own root does not matter
  std::string algorithm = {};  ///< empty: whichever is best
  Parameters given = {};
  bool quick = false;  ///< nothing is simulated: predictions decide
};

/// Tries the first rank, the middle of the machine, and the two roots with the best predictions among some on the way there (a
/// mirrored root takes the same time); of at most 64 ranks, instead of these two, roots with the six best predictions of all.
/// For each algorithm that predicts all roots at once (best-tree on a row, X-Y with it on a grid), it tries up to six of all
/// whose predictions are at most two cycles from the best. At each, the three algorithms with the best predictions are
/// simulated within a share of the job's budgets; beyond it the prediction counts. Best first; of equals the root with the
/// smallest rank. Empty if nothing supports the job at any of them.
std::vector<RootAnswer> try_roots(const RootRequest& request, const RunFunction& run = run_stages);

}  // namespace muster
