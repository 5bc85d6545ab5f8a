#include "app/seismic/simulation.h"

#include <algorithm>

namespace muster::seismic {

template <class Real>
void Simulation<Real>::add(Injection injection) {
  const std::size_t points = this->engine().add({.field = injection.field, .points = {std::move(injection.weights)}});
  sources_.push_back({.field = injection.field, .points = points, .samples = std::move(injection.samples)});
}

template <class Real>
void Simulation<Real>::step() {
  const std::vector<PhaseDescription>& phases = this->equation().phases;
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    this->engine().run(phase);
    inject(phases[phase]);
  }
  this->restart(this->steps() + 1);
}

template <class Real>
void Simulation<Real>::inject(const PhaseDescription& phase) {
  const auto step = static_cast<std::size_t>(this->steps());
  for (const Source& source : sources_) {
    if (!std::ranges::count(phase.writes, source.field) || step >= source.samples.size()) continue;
    this->engine().inject(source.points, std::span(source.samples).subspan(step, 1));
  }
}

template class Simulation<float>;
template class Simulation<double>;

}  // namespace muster::seismic
