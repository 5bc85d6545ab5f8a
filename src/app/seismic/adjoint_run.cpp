#include "app/seismic/adjoint_run.h"

#include <algorithm>

#include "app/seismic/between_steps.h"
#include "app/seismic/field_values.h"
#include "app/seismic/observed.h"
#include "app/seismic/outputs.h"
#include "app/seismic/recorder.h"
#include "app/seismic/volumes.h"

namespace muster::seismic {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<double> time_after_time(const Gather& gather) {
  const std::size_t receivers = gather.receivers.size();
  std::vector<double> samples(gather.values.size());
  for (std::size_t receiver = 0; receiver < receivers; ++receiver) {
    std::size_t to = receiver;
    for (const double sample : gather.trace(receiver)) {
      samples[to] = sample;
      to += receivers;
    }
  }
  return samples;
}

}  // namespace

template <class Real>
AdjointRun<Real>::AdjointRun(const Shot& shot, const RunOptions& options, Processes& processes)
    : shot_(shot),
      options_(options),
      processes_(processes),
      simulation_(make_adjoint_simulation<Real>(shot.propagator, shot.grid, *shot.model, options.target)) {}

template <class Real>
void AdjointRun<Real>::run_shot(std::int64_t number, bool is_resumed, ShotsInFlight& shots) {
  std::vector<Gather> collected;
  const std::vector<TimeFunction> time_functions = add_points(number, collected);
  if (is_resumed) {
    read_checkpoint(options_.resume, shot_, simulation_, collected);
  } else {
    for_each_volume(simulation_.state(), [](auto& volume) { std::ranges::fill(volume.values(), Real{0}); });
    simulation_.engine().upload();
    simulation_.start(shot_.steps);
    write_snapshots(shot_, options_.folder, number, simulation_, processes_);
  }
  const ShotUnderWay<Real> under_way{.shot = shot_,
                                     .options = options_,
                                     .processes = processes_,
                                     .shots = shots,
                                     .number = number,
                                     .fields = simulation_,
                                     .gathers = [&]() -> const std::vector<Gather>& { return collected; }};
  while (simulation_.steps() > 0) {
    if (shots.has_failed()) return;
    const Clock::time_point before = Clock::now();
    simulation_.step();
    simulation_.engine().wait();
    in_kernels_ += Clock::now() - before;
    ++steps_made_;
    look_after(under_way);
  }
  check_finite(simulation_, processes_);
  const std::vector<OutputFile> files = gather_files(shot_, options_.folder, number);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::span<const double> by_step = std::span(collected[i].values).first(static_cast<std::size_t>(shot_.steps));
    collected[i].values = transposed_samples(time_functions[i], by_step, shot_.grid.time_step);
    write_gather_file(shot_, files[i].path, collected[i]);
  }
}

template <class Real>
std::vector<TimeFunction> AdjointRun<Real>::add_points(std::int64_t number, std::vector<Gather>& collected) {
  simulation_.clear();
  for (const Traces& traces : receiver_traces(shot_, number)) {
    simulation_.add(ReceivedSamples{.points = receiver_points(shot_, simulation_.equation(), traces.gather),
                                    .every = traces.every,
                                    .samples = time_after_time(read_observed(shot_, traces, number))});
  }
  for (Traces& traces : source_traces(shot_, number)) {
    traces.gather.values.resize(static_cast<std::size_t>(traces.gather.samples));
    collected.push_back(std::move(traces.gather));
  }
  std::vector<TimeFunction> time_functions;
  for (std::size_t i = 0; i < shot_.sources.size(); ++i) {
    SpreadSource source = spread(shot_.sources[i], shot_, simulation_.equation(), number);
    time_functions.push_back(source.time_function);
    simulation_.add(std::move(source), collected[i].values);
  }
  return time_functions;
}

template class AdjointRun<float>;
template class AdjointRun<double>;

}  // namespace muster::seismic
