#include "app/seismic/forward_run.h"

#include <algorithm>

#include "app/seismic/between_steps.h"
#include "app/seismic/checkpoint.h"
#include "app/seismic/field_values.h"
#include "app/seismic/injections.h"
#include "app/seismic/outputs.h"
#include "app/seismic/volumes.h"

namespace muster::seismic {

using Clock = std::chrono::steady_clock;

template <class Real>
ForwardRun<Real>::ForwardRun(const Shot& shot, const RunOptions& options, Processes& processes)
    : shot_(shot),
      options_(options),
      processes_(processes),
      simulation_(make_simulation<Real>(shot.propagator, shot.grid, *shot.model, options.target)) {}

template <class Real>
void ForwardRun<Real>::run_shot(std::int64_t number, bool is_resumed, ShotsInFlight& shots) {
  simulation_.clear();
  Recorder recorder(shot_, simulation_, number);
  prepare(number, is_resumed, recorder);
  const ShotUnderWay<Real> under_way{.shot = shot_,
                                     .options = options_,
                                     .processes = processes_,
                                     .shots = shots,
                                     .number = number,
                                     .fields = simulation_,
                                     .gathers = [&]() -> const std::vector<Gather>& { return recorder.gathers(); }};
  while (simulation_.steps() < shot_.steps) {
    if (shots.has_failed()) return;
    const Clock::time_point before = Clock::now();
    simulation_.step();
    simulation_.engine().wait();
    in_kernels_ += Clock::now() - before;
    ++steps_made_;
    recorder.record(simulation_);
    look_after(under_way);
  }
  check_finite(simulation_, processes_);
  together(processes_, [&] {
    if (processes_.is_first()) write_gathers(number, recorder);
  });
}

template <class Real>
void ForwardRun<Real>::prepare(std::int64_t number, bool is_resumed, Recorder& recorder) {
  if (is_resumed) {
    const std::filesystem::path file = checkpoint_of(options_.resume, processes_);
    together(processes_, [&] { read_checkpoint(file, shot_, simulation_, recorder.gathers()); });
  } else {
    for_each_volume(simulation_.state(), [](auto& volume) { std::ranges::fill(volume.values(), Real{0}); });
    simulation_.engine().upload();
    simulation_.restart(0);
  }
  for (const Source& source : shot_.sources) {
    for (Injection& injection : injections_of(source, shot_, simulation_.equation(), number)) {
      simulation_.add(std::move(injection));
    }
  }
  if (is_resumed) return;
  recorder.record(simulation_);
  write_snapshots(shot_, options_.folder, number, simulation_, processes_);
}

template <class Real>
void ForwardRun<Real>::write_gathers(std::int64_t number, Recorder& recorder) {
  const std::vector<OutputFile> files = gather_files(shot_, options_.folder, number);
  for (std::size_t i = 0; i < files.size(); ++i) {
    write_gather_file(shot_, files[i].path, recorder.gathers()[i]);
  }
}

template class ForwardRun<float>;
template class ForwardRun<double>;

}  // namespace muster::seismic
