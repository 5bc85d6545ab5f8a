// Which NPU of a cluster has which part of a grid. Every dimension serves one axis, and an axis winds through its dimensions to and fro, so
// that neighbours along it differ in one coordinate by one.
#pragma once

#include <vector>

#include "app/seismic/axis.h"
#include "machine/cluster.h"

namespace muster::seismic {

class Placement {
 public:
  /// `axes` has an axis for each dimension of the cluster.
  Placement(const Cluster& cluster, std::vector<Axis> axes);

  [[nodiscard]] const PerAxis<int>& counts() const { return counts_; }
  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  /// The NPU at a position among the processes.
  [[nodiscard]] NodeId npu(const PerAxis<int>& position) const;
  /// The dimension in which the NPUs at positions i and i + 1 along an axis differ.
  [[nodiscard]] std::size_t dimension_behind(Axis axis, int i) const;

 private:
  std::vector<std::int32_t> sizes_;
  std::vector<Axis> axes_;
  PerAxis<int> counts_{1, 1, 1};
};

/// All of them: three to the power of the cluster's dimensions.
std::vector<Placement> placements(const Cluster& cluster);

}  // namespace muster::seismic
