// Wave fields over time: phases one after another, what lies outside the grid, sources.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/seismic/equation/description.h"
#include "app/seismic/kernels.h"
#include "app/seismic/point.h"
#include "app/seismic/setup.h"
#include "app/seismic/state.h"

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
  Simulation(Description equation, const GridOptions& options, const Model& model,
             std::unique_ptr<Kernels<Real>> kernels);

  void add(Injection injection) { injections_.push_back(std::move(injection)); }
  void step();
  /// Goes on from a state that was stored after this many steps, without sources.
  void restart(std::int64_t steps) {
    steps_ = steps;
    injections_.clear();
  }

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  [[nodiscard]] const Description& equation() const { return equation_; }
  [[nodiscard]] State<Real>& state() { return state_; }
  [[nodiscard]] const State<Real>& state() const { return state_; }

  /// A field at a point: the sum of its values with these weights.
  [[nodiscard]] double gather(int field, const std::vector<NodeWeight>& weights) const;

 private:
  void run(std::size_t phase);
  void inject(const PhaseDescription& phase);

  Description equation_;
  PerAxis<Sides> sides_;
  std::unique_ptr<Kernels<Real>> kernels_;
  State<Real> state_;
  std::vector<Injection> injections_;
  std::int64_t steps_ = 0;  ///< that have been made
};

extern template class Simulation<float>;
extern template class Simulation<double>;

}  // namespace muster::seismic
