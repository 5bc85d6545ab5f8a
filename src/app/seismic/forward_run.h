// A forward run: from sources to receivers.
#pragma once

#include <chrono>
#include <cstdint>

#include "app/seismic/processes.h"
#include "app/seismic/recorder.h"
#include "app/seismic/run.h"
#include "app/seismic/shots_in_flight.h"
#include "app/seismic/simulation.h"

namespace muster::seismic {

/// One shot after another, on one simulation.
template <class Real>
class ForwardRun {
 public:
  ForwardRun(const Shot& shot, const RunOptions& options, Processes& processes);

  /// `is_resumed`: from the checkpoint that the options name. Ends early if another of the shots in flight has failed.
  void run_shot(std::int64_t number, bool is_resumed, ShotsInFlight& shots);

  [[nodiscard]] const Simulation<Real>& simulation() const { return simulation_; }
  [[nodiscard]] std::chrono::steady_clock::duration in_kernels() const { return in_kernels_; }
  [[nodiscard]] std::int64_t steps_made() const { return steps_made_; }

 private:
  void prepare(std::int64_t number, bool is_resumed, Recorder& recorder);
  void write_gathers(std::int64_t number, Recorder& recorder);

  const Shot& shot_;
  const RunOptions& options_;
  Processes& processes_;
  Simulation<Real> simulation_;
  std::chrono::steady_clock::duration in_kernels_{};
  std::int64_t steps_made_ = 0;
};

extern template class ForwardRun<float>;
extern template class ForwardRun<double>;

}  // namespace muster::seismic
