// Points of fields that lie in the memory of this process, all of the grid.
#pragma once

#include <span>

#include "app/seismic/engine.h"

namespace muster::seismic {

template <class Real>
void inject_points(State<Real>& state, const Points& points, std::span<const double> amplitudes) {
  Volume<Real>& field = state.fields[static_cast<std::size_t>(points.field)];
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    for (const NodeWeight& node : points.points[i]) {
      field.at(node.cell.x, node.cell.y, node.cell.z) += static_cast<Real>(node.weight * amplitudes[i]);
    }
  }
}

template <class Real>
void gather_points(const State<Real>& state, const Points& points, std::span<double> values) {
  const Volume<Real>& field = state.fields[static_cast<std::size_t>(points.field)];
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 0;
    for (const NodeWeight& node : points.points[i]) {
      values[i] += node.weight * static_cast<double>(field.at(node.cell.x, node.cell.y, node.cell.z));
    }
  }
}

}  // namespace muster::seismic
