// Wave fields over time: phases one after another, with sources in between.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/seismic/engine.h"
#include "app/seismic/equation/description.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// What a source adds to a field in every step, after the phase that updates the field.
struct Injection {
  int field = 0;
  std::vector<NodeWeight> weights;  ///< with everything but the time function
  std::vector<double> samples;      ///< by step; nothing is added behind the last
};

template <class Real>
class Simulation {
 public:
  /// Of all processes, `part` is that of this one.
  Simulation(Description equation, std::unique_ptr<Engine<Real>> engine, Part part)
      : equation_(std::move(equation)), engine_(std::move(engine)), part_(std::move(part)) {}

  void add(Injection injection);
  void step();
  /// Forgets sources, and all points of the engine.
  void clear() {
    sources_.clear();
    engine_->clear();
  }
  /// Goes on from a state that was stored after this many steps.
  void restart(std::int64_t steps) { steps_ = steps; }

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] const Description& equation() const { return equation_; }
  [[nodiscard]] const Part& part() const { return part_; }
  [[nodiscard]] Engine<Real>& engine() { return *engine_; }
  [[nodiscard]] State<Real>& state() { return engine_->state(); }
  [[nodiscard]] const State<Real>& state() const { return engine_->state(); }

 private:
  struct Source {
    int field = 0;
    std::size_t points = 0;  ///< of the engine
    std::vector<double> samples;
  };

  void inject(const PhaseDescription& phase);

  Description equation_;
  std::unique_ptr<Engine<Real>> engine_;
  Part part_;
  std::vector<Source> sources_;
  std::int64_t steps_ = 0;  ///< that have been made
};

extern template class Simulation<float>;
extern template class Simulation<double>;

}  // namespace muster::seismic
