// An adjoint run: from receivers' gathers back to the sources.
//
// It computes the transpose of the map from the values of the sources' wavelets to the gathers: for each source and step the derivative of
// <gathers of the forward run, gathers of the files> by that value.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "app/seismic/adjoint_simulation.h"
#include "app/seismic/checkpoint.h"
#include "app/seismic/run.h"
#include "app/seismic/shots_in_flight.h"

namespace muster::seismic {

/// One shot after another, on one simulation.
template <class Real>
class AdjointRun {
 public:
  AdjointRun(const Shot& shot, const RunOptions& options, Processes& processes);

  /// `is_resumed`: from the checkpoint that the options name. Ends early if another of the shots in flight has failed.
  void run_shot(std::int64_t number, bool is_resumed, ShotsInFlight& shots);

  [[nodiscard]] const AdjointSimulation<Real>& simulation() const { return simulation_; }
  [[nodiscard]] std::chrono::steady_clock::duration in_kernels() const { return in_kernels_; }
  [[nodiscard]] std::int64_t steps_made() const { return steps_made_; }

 private:
  /// Returns the sources' time functions, in their order.
  std::vector<TimeFunction> add_points(std::int64_t number, std::vector<Gather>& collected);

  const Shot& shot_;
  const RunOptions& options_;
  Processes& processes_;
  AdjointSimulation<Real> simulation_;
  std::chrono::steady_clock::duration in_kernels_{};
  std::int64_t steps_made_ = 0;
};

extern template class AdjointRun<float>;
extern template class AdjointRun<double>;

}  // namespace muster::seismic
