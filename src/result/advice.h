// How the bandwidth of a cluster is distributed over its dimensions, and the best distribution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

/// Whether the later of two dimensions has the bandwidth that the baseline can use, given the earlier one (Themis, §6.3).
enum class Provision : std::uint8_t { just_enough, over, under };

struct AdviceAnswer {
  std::string machine;
  std::string summary;
  std::vector<std::int64_t> shape;
  BytesPerSecond bandwidth;                                                          ///< of all dimensions, per NPU
  std::vector<std::string> collectives{"allreduce", "reduce-scatter", "allgather"};  ///< that it holds for

  struct Dimension {
    std::string kind;
    std::int64_t size = 0;
    BytesPerSecond bandwidth;
    double share = 0;                ///< of all bandwidth
    double baseline_busy = 0;        ///< fraction of the time in which the baseline sends on it
    BytesPerSecond baseline_wasted;  ///< what it could have sent in the rest of the time
    BytesPerSecond
        baseline_best;       ///< its bandwidth if the same total is distributed so that the baseline uses all of it
    double least_share = 0;  ///< of all bandwidth, so that some schedule can use all of it
    double most_share = 0;   ///< the same
    [[nodiscard]] bool in_range() const;  ///< its share lies between the two
  };
  std::vector<Dimension> dimensions;

  /// Dimensions `first` < `second`, from 1.
  struct Pair {
    int first = 0;
    int second = 0;
    Provision provision = Provision::just_enough;
    double ratio = 1;       ///< P_first ... P_(second - 1) BW_second / BW_first: 1 is just enough
    BytesPerSecond enough;  ///< the bandwidth of `second` that the baseline keeps as busy as `first`
  };
  std::vector<Pair> pairs;

  double baseline_utilization = 1;     ///< of the total bandwidth, if latency is hidden
  std::vector<int> baseline_limiting;  ///< the dimensions, from 1, that are busy all the time
  double ceiling = 1;                  ///< what the best schedule can use
  std::vector<int> limiting;           ///< the dimensions, from 1, whose links limit that; empty: nothing does
  double limiting_share = 0;           ///< of all bandwidth: theirs
  double limiting_least = 0;           ///< of all bandwidth: what they would need
  /// The best distribution of the same total for a workload, among those tried.
  struct Spread {
    std::string workload;
    Seconds now;   ///< what an iteration takes under `balanced`
    Seconds best;  ///< with the other distribution; the same if none was faster
    std::vector<BytesPerSecond> bandwidths = {};
    std::int64_t tried = 0;  ///< spreads
  };
  std::vector<Spread> spreads = {};
  std::vector<std::string> notes;  ///< what is not counted here, a sentence each
};

/// Up to rounding.
inline bool AdviceAnswer::Dimension::in_range() const {
  constexpr double kRounding = 1e-9;
  return share > least_share - kRounding && share < most_share + kRounding;
}

}  // namespace muster
