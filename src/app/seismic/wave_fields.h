// The fields of an equation after a number of steps, and the engine that holds them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "app/seismic/engine.h"
#include "app/seismic/equation/description.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

/// What is the same whether they run forwards (Simulation) or backwards (AdjointSimulation).
template <class Real>
class WaveFields {
 public:
  /// Of all processes, `part` is that of this one.
  WaveFields(Description equation, std::unique_ptr<Engine<Real>> engine, Part part)
      : equation_(std::move(equation)), engine_(std::move(engine)), part_(std::move(part)) {}

  /// Goes on from a state that was stored after this many steps.
  void restart(std::int64_t steps) { steps_ = steps; }

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] const Description& equation() const { return equation_; }
  [[nodiscard]] const Part& part() const { return part_; }
  [[nodiscard]] Engine<Real>& engine() { return *engine_; }
  [[nodiscard]] State<Real>& state() { return engine_->state(); }
  [[nodiscard]] const State<Real>& state() const { return engine_->state(); }

 private:
  Description equation_;
  std::unique_ptr<Engine<Real>> engine_;
  Part part_;
  std::int64_t steps_ = 0;
};

}  // namespace muster::seismic
