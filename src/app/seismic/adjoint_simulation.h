// Adjoint fields, backwards in time: the transpose of a simulation with its sources and receivers.
//
// Where the simulation takes samples, the adjoint adds them; where the simulation adds what a source gives, the adjoint takes what it
// collects there; phases come in reverse. So this computes the transpose of the map from the sources' samples to those of the
// receivers, exactly but for rounding.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/seismic/injections.h"
#include "app/seismic/model.h"
#include "app/seismic/propagators.h"
#include "app/seismic/wave_fields.h"

namespace muster::seismic {

/// The samples of receivers, which the adjoint adds where they were taken.
struct ReceivedSamples {
  std::vector<Points> points;   ///< of the fields that they are the sum of
  std::int64_t every = 1;       ///< steps between samples
  std::vector<double> samples;  ///< of all receivers, time after time
};

template <class Real>
class AdjointSimulation : public WaveFields<Real> {
 public:
  using WaveFields<Real>::WaveFields;

  void add(ReceivedSamples received);
  /// `collected` gets by step what the source collects; it must live as long as this.
  void add(SpreadSource source, std::span<double> collected);
  /// Forgets sources, receivers, and all points of the engine.
  void clear();

  /// To the end of the last step, from fields that are 0.
  void start(std::int64_t steps);
  /// One step back. Fields are those after steps(), with the receivers' samples of that time.
  void step();

 private:
  struct Receivers {
    std::vector<std::size_t> points;  ///< of the engine
    std::size_t count = 0;
    std::int64_t every = 1;
    std::vector<double> samples;
  };
  struct Source {
    int field = 0;
    std::size_t points = 0;
    std::span<double> collected;
  };

  void inject();
  void collect(const PhaseDescription& phase, std::size_t step);

  std::vector<Receivers> receivers_;
  std::vector<Source> sources_;
};

/// Fields that are 0. Throws InputError if the target has no adjoint.
template <class Real>
AdjointSimulation<Real> make_adjoint_simulation(std::string_view propagator, const GridOptions& options,
                                                const Model& model, const Target& target);

extern template class AdjointSimulation<float>;
extern template class AdjointSimulation<double>;
extern template AdjointSimulation<float> make_adjoint_simulation(std::string_view, const GridOptions&, const Model&,
                                                                 const Target&);
extern template AdjointSimulation<double> make_adjoint_simulation(std::string_view, const GridOptions&, const Model&,
                                                                  const Target&);

}  // namespace muster::seismic
