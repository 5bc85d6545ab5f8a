#include "app/seismic/simulation.h"

#include <algorithm>

#include "app/seismic/halos.h"

namespace muster::seismic {

template <class Real>
Simulation<Real>::Simulation(Description equation, const GridOptions& options, const Model& model,
                             std::unique_ptr<Kernels<Real>> kernels)
    : equation_(std::move(equation)),
      sides_(options.sides),
      kernels_(std::move(kernels)),
      state_(make_state<Real>(equation_, options, model)) {}

template <class Real>
void Simulation<Real>::step() {
  for (std::size_t phase = 0; phase < equation_.phases.size(); ++phase) run(phase);
  ++steps_;
}

template <class Real>
void Simulation<Real>::run(std::size_t phase) {
  const PhaseDescription& description = equation_.phases[phase];
  const auto at = [](int field) { return static_cast<std::size_t>(field); };
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
  inject(description);
}

template <class Real>
void Simulation<Real>::inject(const PhaseDescription& phase) {
  const auto step = static_cast<std::size_t>(steps_);
  for (const Injection& injection : injections_) {
    if (!std::ranges::count(phase.writes, injection.field) || step >= injection.samples.size()) continue;
    Volume<Real>& field = state_.fields[static_cast<std::size_t>(injection.field)];
    for (const NodeWeight& node : injection.weights) {
      field.at(node.cell.x, node.cell.y, node.cell.z) += static_cast<Real>(node.weight * injection.samples[step]);
    }
  }
}

template <class Real>
double Simulation<Real>::gather(int field, const std::vector<NodeWeight>& weights) const {
  const Volume<Real>& volume = state_.fields[static_cast<std::size_t>(field)];
  double sum = 0;
  for (const NodeWeight& node : weights) {
    sum += node.weight * static_cast<double>(volume.at(node.cell.x, node.cell.y, node.cell.z));
  }
  return sum;
}

template class Simulation<float>;
template class Simulation<double>;

}  // namespace muster::seismic
