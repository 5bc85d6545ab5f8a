#include "app/seismic/cuda/points.h"

#include <map>
#include <utility>

#include "app/seismic/cuda/check.cuh"

namespace muster::seismic {
namespace {

constexpr unsigned kThreads = 128;

unsigned blocks(std::size_t threads) { return static_cast<unsigned>((threads + kThreads - 1) / kThreads); }

struct Injected {
  std::size_t cells;
  const std::int64_t* cell;
  const std::int64_t* first_part;
  const std::int64_t* point;
  const double* weight;
  const double* amplitudes;
};

/// A thread has a cell of its own: so its sum has the order of the points.
__global__ void __launch_bounds__(kThreads) inject_cells(float* field, const Injected parts) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= parts.cells) return;
  float value = field[parts.cell[i]];
  for (std::int64_t part = parts.first_part[i]; part < parts.first_part[i + 1]; ++part) {
    value += static_cast<float>(parts.weight[part] * parts.amplitudes[parts.point[part]]);
  }
  field[parts.cell[i]] = value;
}

struct Gathered {
  std::size_t points;
  const std::int64_t* first_node;
  const std::int64_t* cell;
  const double* weight;
  double* values;
};

__global__ void __launch_bounds__(kThreads) gather_points(const float* field, const Gathered nodes) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= nodes.points) return;
  double sum = 0;
  for (std::int64_t node = nodes.first_node[i]; node < nodes.first_node[i + 1]; ++node) {
    sum += nodes.weight[node] * static_cast<double>(field[nodes.cell[node]]);
  }
  nodes.values[i] = sum;
}

template <class T>
DeviceArray<T> on_device(const std::vector<T>& values) {
  return DeviceArray<T>(values.data(), values.size());
}

}  // namespace

DevicePoints::DevicePoints(const Points& points, const Layout& layout)
    : field_(points.field), amplitudes_(points.points.size()) {
  std::vector<std::int64_t> first_node{0};
  std::vector<std::int64_t> node_cell;
  std::vector<double> node_weight;
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, double>>> parts;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    for (const NodeWeight& node : points.points[i]) {
      node_cell.push_back(layout.offset(node.cell.x, node.cell.y, node.cell.z));
      node_weight.push_back(node.weight);
      parts[node_cell.back()].emplace_back(static_cast<std::int64_t>(i), node.weight);
    }
    first_node.push_back(static_cast<std::int64_t>(node_cell.size()));
  }
  std::vector<std::int64_t> cells;
  std::vector<std::int64_t> first_part{0};
  std::vector<std::int64_t> part_point;
  std::vector<double> part_weight;
  for (const auto& [cell, of_cell] : parts) {
    cells.push_back(cell);
    for (const auto& [point, weight] : of_cell) {
      part_point.push_back(point);
      part_weight.push_back(weight);
    }
    first_part.push_back(static_cast<std::int64_t>(part_point.size()));
  }
  cells_ = cells.size();
  first_node_ = on_device(first_node);
  node_cell_ = on_device(node_cell);
  node_weight_ = on_device(node_weight);
  cell_ = on_device(cells);
  first_part_ = on_device(first_part);
  part_point_ = on_device(part_point);
  part_weight_ = on_device(part_weight);
}

void DevicePoints::inject(float* field, std::span<const double> amplitudes) {
  if (cells_ == 0) return;
  amplitudes_.upload(amplitudes.data());
  const Injected parts{cells_,           cell_.data(),        first_part_.data(), part_point_.data(),
                       part_weight_.data(), amplitudes_.data()};
  inject_cells<<<blocks(cells_), kThreads>>>(field, parts);
  check_launch("inject_cells");
}

void DevicePoints::gather(const float* field, std::span<double> values) {
  if (values.empty()) return;
  const Gathered nodes{values.size(), first_node_.data(), node_cell_.data(), node_weight_.data(), amplitudes_.data()};
  gather_points<<<blocks(values.size()), kThreads>>>(field, nodes);
  check_launch("gather_points");
  amplitudes_.download(values.data());
}

}  // namespace muster::seismic
