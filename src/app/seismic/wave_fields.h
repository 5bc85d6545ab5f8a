// The fields of an equation after a number of steps, and the engine that holds them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "app/seismic/engine.h"
#include "app/seismic/equation/description.h"

namespace muster::seismic {

/// What is the same whether they run forwards (Simulation) or backwards (AdjointSimulation).
template <class Real>
class WaveFields {
 public:
  WaveFields(Description equation, std::unique_ptr<Engine<Real>> engine)
      : equation_(std::move(equation)), engine_(std::move(engine)) {}

  /// Goes on from a state that was stored after this many steps.
  void restart(std::int64_t steps) { steps_ = steps; }

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] const Description& equation() const { return equation_; }
  [[nodiscard]] Engine<Real>& engine() { return *engine_; }
  [[nodiscard]] State<Real>& state() { return engine_->state(); }
  [[nodiscard]] const State<Real>& state() const { return engine_->state(); }

 private:
  Description equation_;
  std::unique_ptr<Engine<Real>> engine_;
  std::int64_t steps_ = 0;
};

}  // namespace muster::seismic
