#include "app/seismic/predict/cluster/placement.h"

namespace muster::seismic {

Placement::Placement(const Cluster& cluster, std::vector<Axis> axes) : axes_(std::move(axes)) {
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    sizes_.push_back(cluster.dimensions[d].size);
    counts_[axes_[d]] *= sizes_[d];
  }
}

NodeId Placement::npu(const PerAxis<int>& position) const {
  PerAxis<int> left = position;
  NodeId npu = 0;
  NodeId stride = 1;
  for (std::size_t d = 0; d < sizes_.size(); ++d) {
    int& rest = left[axes_[d]];
    const std::int32_t along = rest % sizes_[d];
    rest /= sizes_[d];
    npu += stride * (rest % 2 == 0 ? along : sizes_[d] - 1 - along);
    stride *= sizes_[d];
  }
  return npu;
}

std::size_t Placement::dimension_behind(Axis axis, int i) const {
  std::size_t found = 0;
  for (std::size_t d = 0; d < sizes_.size(); ++d) {
    if (axes_[d] != axis) continue;
    found = d;
    if (i % sizes_[d] != sizes_[d] - 1) break;
    i /= sizes_[d];
  }
  return found;
}

std::vector<Placement> placements(const Cluster& cluster) {
  std::size_t count = 1;
  for (std::size_t d = 0; d < cluster.dimensions.size(); ++d) count *= kAxes.size();
  std::vector<Placement> all;
  for (std::size_t number = 0; number < count; ++number) {
    std::vector<Axis> axes;
    std::size_t rest = number;
    for (std::size_t d = 0; d < cluster.dimensions.size(); ++d, rest /= kAxes.size()) {
      axes.push_back(kAxes[rest % kAxes.size()]);
    }
    all.emplace_back(cluster, std::move(axes));
  }
  return all;
}

}  // namespace muster::seismic
