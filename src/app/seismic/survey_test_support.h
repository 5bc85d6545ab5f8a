// Small shots for tests: read from text, run without files.
#pragma once

#include <string>
#include <vector>

#include "app/seismic/injections.h"
#include "app/seismic/propagators.h"
#include "app/seismic/recorder.h"
#include "app/seismic/shot.h"
#include "app/seismic/simulation.h"

namespace muster::seismic {

/// The gathers of the first shot.
template <class Real>
std::vector<Gather> gathers_of(const Shot& shot, const Target& target) {
  Simulation<Real> simulation = make_simulation<Real>(shot.propagator, shot.grid, *shot.model, target);
  Recorder recorder(shot, simulation, 1);
  for (const Source& source : shot.sources) {
    for (Injection& injection : injections_of(source, shot, simulation.equation(), 1)) {
      simulation.add(std::move(injection));
    }
  }
  recorder.record(simulation);
  while (simulation.steps() < shot.steps) {
    simulation.step();
    recorder.record(simulation);
  }
  return std::move(recorder.gathers());
}

}  // namespace muster::seismic
