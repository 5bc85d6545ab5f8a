// Several jobs that share the dimensions of a cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace muster {

struct SharedJobAnswer {
  std::string collective;
  std::string algorithm;
  Bytes bytes;
  std::int64_t chunks = 0;
  Seconds begins;
  Seconds ends;
  Seconds alone;                 ///< what it takes on an idle system
  double error_probability = 0;  ///< of the proof of its schedule
  [[nodiscard]] Seconds taken() const { return ends - begins; }
};

struct SharingAnswer {
  std::string machine;
  std::vector<std::int64_t> shape;
  std::string order;  ///< which waiting chunk a dimension sends first: "fifo" or "scf"
  std::vector<SharedJobAnswer> jobs;
  Seconds total;           ///< until the last job has ended
  Seconds in_turn;         ///< the same if every job waited for the previous one
  double utilization = 0;  ///< of all bandwidth, until the last job has ended
  /// How long a dimension sends, and in which part of the total time.
  struct Dimension {
    Seconds busy;
    double utilization = 0;
  };
  std::vector<Dimension> dimensions = {};
};

}  // namespace muster
