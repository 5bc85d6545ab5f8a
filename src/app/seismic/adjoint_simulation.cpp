#include "app/seismic/adjoint_simulation.h"

#include <algorithm>

#include "app/seismic/adjoint_engine.h"
#include "base/error.h"

namespace muster::seismic {

template <class Real>
void AdjointSimulation<Real>::add(ReceivedSamples received) {
  Receivers receivers{.points = {}, .count = 0, .every = received.every, .samples = std::move(received.samples)};
  for (Points& points : received.points) {
    receivers.count = points.points.size();
    receivers.points.push_back(this->engine().add(std::move(points)));
  }
  receivers_.push_back(std::move(receivers));
}

template <class Real>
void AdjointSimulation<Real>::add(SpreadSource source, std::span<double> collected) {
  for (Spread& spread : source.spreads) {
    const std::size_t points = this->engine().add({.field = spread.field, .points = {std::move(spread.weights)}});
    sources_.push_back({.field = spread.field, .points = points, .collected = collected});
  }
}

template <class Real>
void AdjointSimulation<Real>::clear() {
  receivers_.clear();
  sources_.clear();
  this->engine().clear();
}

template <class Real>
void AdjointSimulation<Real>::start(std::int64_t steps) {
  this->restart(steps);
  inject();
}

template <class Real>
void AdjointSimulation<Real>::step() {
  const std::int64_t step = this->steps() - 1;
  const std::vector<PhaseDescription>& phases = this->equation().phases;
  for (std::size_t phase = phases.size(); phase-- > 0;) {
    collect(phases[phase], static_cast<std::size_t>(step));
    this->engine().run(phase);
  }
  this->restart(step);
  inject();
}

template <class Real>
void AdjointSimulation<Real>::inject() {
  for (const Receivers& receivers : receivers_) {
    if (this->steps() % receivers.every != 0) continue;
    const auto sample = static_cast<std::size_t>(this->steps() / receivers.every);
    const auto samples = std::span(receivers.samples).subspan(sample * receivers.count, receivers.count);
    for (const std::size_t points : receivers.points) this->engine().inject(points, samples);
  }
}

template <class Real>
void AdjointSimulation<Real>::collect(const PhaseDescription& phase, std::size_t step) {
  for (const Source& source : sources_) {
    if (!std::ranges::count(phase.writes, source.field)) continue;
    double value = 0;
    this->engine().gather(source.points, std::span(&value, 1));
    source.collected[step] += value;
  }
}

template <class Real>
AdjointSimulation<Real> make_adjoint_simulation(std::string_view propagator, const GridOptions& options,
                                                const Model& model, const Target& target) {
  if (target.kind != Target::Kind::cpu && target.kind != Target::Kind::reference) {
    reject("mode = \"adjoint\" runs on --target cpu and reference only; use one of them");
  }
  return {describe_propagator(propagator), make_adjoint_engine<Real>(propagator, options, model, target.threads),
          whole_of(options)};
}

template class AdjointSimulation<float>;
template class AdjointSimulation<double>;
template AdjointSimulation<float> make_adjoint_simulation(std::string_view, const GridOptions&, const Model&,
                                                          const Target&);
template AdjointSimulation<double> make_adjoint_simulation(std::string_view, const GridOptions&, const Model&,
                                                           const Target&);

}  // namespace muster::seismic
