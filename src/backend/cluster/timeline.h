// When dimensions send what, for pictures.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "backend/cluster/program.h"
#include "result/timeline.h"

namespace muster::cluster {

/// Of NPUs that are all alike: a track per dimension. `begins`: of each operation, when it is sent.
Timeline timeline_of_all(const ClusterProgram& program, const std::vector<Ticks>& begins);

/// What one group sent.
struct SentByGroup {
  std::int32_t operation = 0;
  std::span<const NodeId> members;
  Ticks begin;
  Ticks end;
};

/// Of NPUs that differ: a track per dimension of each NPU that is shown.
Timeline timeline_of_npus(const ClusterProgram& program, const std::set<NodeId>& shown,
                          const std::vector<SentByGroup>& sent);

}  // namespace muster::cluster
