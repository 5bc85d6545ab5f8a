#include "app/seismic/host_engine.h"

#include <algorithm>

#include "app/seismic/halos.h"

namespace muster::seismic {
namespace {

std::size_t at(int field) { return static_cast<std::size_t>(field); }

}  // namespace

template <class Real>
HostEngine<Real>::HostEngine(const Description& equation, const GridOptions& options, const Model& model,
                             std::unique_ptr<Kernels<Real>> kernels)
    : equation_(equation),
      sides_(options.sides),
      kernels_(std::move(kernels)),
      state_(make_state<Real>(equation, options, model)) {}

template <class Real>
void HostEngine<Real>::run(std::size_t phase) {
  const PhaseDescription& description = equation_.phases[phase];
  for (const Read& read : description.reads) {
    fill_halo(state_.fields[at(read.field)], equation_.fields[at(read.field)], read, sides_);
  }
  const Box box = whole(state_.layout.extent());
  const View<Real> view = state_.view(equation_);
  if (description.has_second) kernels_->update_memory(view, phase, box);
  kernels_->update(view, phase, box);
  for (const int field : description.writes) {
    if (equation_.fields[at(field)].time_order == 2) std::swap(state_.fields[at(field)], state_.before[at(field)]);
  }
  settle_mirrors(state_, equation_, description.writes, sides_);
}

template <class Real>
std::size_t HostEngine<Real>::add(Points points) {
  points_.push_back(std::move(points));
  return points_.size() - 1;
}

template <class Real>
void HostEngine<Real>::inject(std::size_t points, std::span<const double> amplitudes) {
  Volume<Real>& field = state_.fields[at(points_[points].field)];
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    for (const NodeWeight& node : points_[points].points[i]) {
      field.at(node.cell.x, node.cell.y, node.cell.z) += static_cast<Real>(node.weight * amplitudes[i]);
    }
  }
}

template <class Real>
void HostEngine<Real>::gather(std::size_t points, std::span<double> values) {
  const Volume<Real>& field = state_.fields[at(points_[points].field)];
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0;
    for (const NodeWeight& node : points_[points].points[i]) {
      sum += node.weight * static_cast<double>(field.at(node.cell.x, node.cell.y, node.cell.z));
    }
    values[i] = sum;
  }
}

template class HostEngine<float>;
template class HostEngine<double>;

}  // namespace muster::seismic
