// Points of one field in the memory of a GPU: sources and receivers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/seismic/cuda/device.h"
#include "app/seismic/engine.h"
#include "app/seismic/volume.h"

namespace muster::seismic {

class DevicePoints {
 public:
  DevicePoints(const Points& points, const Layout& layout);

  [[nodiscard]] int field() const { return field_; }
  /// As Engine says; `field` points to the begin of the array.
  void inject(float* field, std::span<const double> amplitudes);
  void gather(const float* field, std::span<double> values);

 private:
  int field_ = 0;
  std::size_t cells_ = 0;  ///< that a point reaches, each counted once
  DeviceArray<double> amplitudes_;
  // For gathering: the nodes of one point after another.
  DeviceArray<std::int64_t> first_node_;  ///< of each point, and the end
  DeviceArray<std::int64_t> node_cell_;
  DeviceArray<double> node_weight_;
  // For injecting: what one cell after another gets, in the order of the points.
  DeviceArray<std::int64_t> cell_;
  DeviceArray<std::int64_t> first_part_;  ///< of each cell, and the end
  DeviceArray<std::int64_t> part_point_;
  DeviceArray<double> part_weight_;
};

}  // namespace muster::seismic
