// Where another algorithm takes over: the nearest larger and smaller vectors for which somebody else is best. Found by
// simulation where that is cheap, else by prediction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/ranking.h"

namespace muster {

/// One end of the range of counts around the job's in which one algorithm is best.
struct Edge {
  enum class Basis { simulated, predicted, unknown } basis = Basis::unknown;
  std::int64_t kept = 0;  ///< the farthest count, in elements, at which it is known to be best
  std::int64_t lost = 0;  ///< the nearest count at which `taker` is known to be best; kept + 1 or - 1 if exact
  std::optional<std::string> taker;  ///< none: no other is better up to `kept`
};

struct WinningRange {
  std::string best;  ///< the first of the entries
  Edge below;
  Edge above;
};

/// The range of sizes in which the first entry is the best of all that did not fail. Around a simulated winner, short
/// simulations of those that are predicted to be near it decide, within a small share of the job's hop budget. By halving,
/// doubling and bisection: an algorithm that is best only in between two probes can be missed. `entries` is not empty.
WinningRange winning_range_of_best(const Job& job, const std::vector<Entry>& entries, const RunFunction& run);

/// Both ends of the range. One sentence is enough where nobody takes over at any size, whatever says so. Empty if nothing is known.
std::string range_text(const Job& job, WinningRange range);

/// One sentence about it for people. Empty if nothing fits or everything failed, and for a barrier, which has no size.
std::string crossover_text(const Job& job, const std::vector<Entry>& entries, const RunFunction& run);

}  // namespace muster
