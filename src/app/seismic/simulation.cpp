#include "app/seismic/simulation.h"

#include <algorithm>

namespace muster::seismic {

template <class Real>
void Simulation<Real>::add(Injection injection) {
  const std::size_t points = engine_->add({.field = injection.field, .points = {std::move(injection.weights)}});
  sources_.push_back({.field = injection.field, .points = points, .samples = std::move(injection.samples)});
}

template <class Real>
void Simulation<Real>::step() {
  for (std::size_t phase = 0; phase < equation_.phases.size(); ++phase) {
    engine_->run(phase);
    inject(equation_.phases[phase]);
  }
  ++steps_;
}

template <class Real>
void Simulation<Real>::inject(const PhaseDescription& phase) {
  const auto step = static_cast<std::size_t>(steps_);
  for (const Source& source : sources_) {
    if (!std::ranges::count(phase.writes, source.field) || step >= source.samples.size()) continue;
    engine_->inject(source.points, std::span(source.samples).subspan(step, 1));
  }
}

template class Simulation<float>;
template class Simulation<double>;

}  // namespace muster::seismic
