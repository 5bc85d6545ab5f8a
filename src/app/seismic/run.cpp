#include "app/seismic/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "app/seismic/checkpoint.h"
#include "app/seismic/cuda/target.h"
#include "app/seismic/field_values.h"
#include "app/seismic/injections.h"
#include "app/seismic/outputs.h"
#include "app/seismic/recorder.h"
#include "app/seismic/resources.h"
#include "app/seismic/shots_in_flight.h"
#include "app/seismic/simulation.h"
#include "app/seismic/volumes.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kStepsBetweenChecks = 100;
constexpr double kFewPointsPerWavelength = 4;

/// One shot after another, on one simulation. Several of these may take shots from the same ones in flight, each in a thread of its own.
template <class Real>
class Runner {
 public:
  Runner(const Shot& shot, const RunOptions& options, ShotsInFlight& shots)
      : shot_(shot),
        options_(options),
        shots_(shots),
        simulation_(make_simulation<Real>(shot.propagator, shot.grid, *shot.model, options.target)) {}

  /// `resumed`: the number of the shot that goes on from the checkpoint, or 0.
  void run(std::int64_t resumed) {
    while (const std::optional<std::int64_t> number = shots_.take()) {
      try {
        run_shot(*number, *number == resumed);
      } catch (...) {
        shots_.fail(*number, std::current_exception());
        return;
      }
      latest_ = *number;
    }
  }

  [[nodiscard]] const Simulation<Real>& simulation() const { return simulation_; }
  [[nodiscard]] std::int64_t latest() const { return latest_; }  ///< of the shots that this one has made; 0: none
  [[nodiscard]] Clock::duration in_kernels() const { return in_kernels_; }
  [[nodiscard]] std::int64_t steps_made() const { return steps_made_; }

 private:
  void run_shot(std::int64_t number, bool is_resumed) {
    simulation_.clear();
    Recorder recorder(shot_, simulation_, number);
    prepare(number, is_resumed, recorder);
    while (simulation_.steps() < shot_.steps) {
      if (shots_.has_failed()) return;
      const Clock::time_point before = Clock::now();
      simulation_.step();
      simulation_.engine().wait();
      in_kernels_ += Clock::now() - before;
      ++steps_made_;
      after_step(number, recorder);
    }
    check_finite(simulation_);
    const std::vector<OutputFile> files = gather_files(shot_, options_.folder, number);
    for (std::size_t i = 0; i < files.size(); ++i) {
      write_gather_file(shot_, files[i].path, recorder.gathers()[i]);
    }
    shots_.finish(number);
  }

  void prepare(std::int64_t number, bool is_resumed, Recorder& recorder) {
    if (is_resumed) {
      read_checkpoint(options_.resume, shot_, simulation_, recorder);
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
    write_snapshots(shot_, options_.folder, number, simulation_);
  }

  void after_step(std::int64_t number, Recorder& recorder) {
    const std::int64_t step = simulation_.steps();
    recorder.record(simulation_);
    const bool has_snapshot = !snapshot_files(shot_, options_.folder, number, step).empty();
    if (has_snapshot || step % kStepsBetweenChecks == 0) check_finite(simulation_);
    write_snapshots(shot_, options_.folder, number, simulation_);
    if (shots_.is_first(number)) {
      shots_.alone([&] { leave_checkpoint(number, recorder); });
    }
    if (!options_.progress) return;
    const auto all = static_cast<double>(shot_.steps * shot_.repetition.count);
    if (shots_.is_first(number)) {
      shots_.alone([&] { options_.progress(static_cast<double>((number - 1) * shot_.steps + step) / all); });
    }
  }

  /// If one is due, or the run is interrupted: then this throws.
  void leave_checkpoint(std::int64_t number, Recorder& recorder) {
    const std::int64_t step = simulation_.steps();
    const bool is_last = step == shot_.steps && number == shot_.repetition.count;
    const bool is_due = shot_.checkpoint.every > 0 && step % shot_.checkpoint.every == 0;
    const bool is_interrupted = options_.is_interrupted && options_.is_interrupted();
    const fs::path file = options_.folder / shot_.checkpoint.file;
    if (!is_last && (is_due || is_interrupted)) write_checkpoint(file, shot_, number, simulation_, recorder);
    if (is_last || !is_interrupted) return;
    const std::string of_shot = shot_.repetition.count > 1 ? fmt::format(" of shot {}", number) : "";
    answer_no("{}: interrupted after step {} of {}{}; go on with --resume {}", shot_.name, step, shot_.steps, of_shot,
              file.string());
  }

  const Shot& shot_;
  const RunOptions& options_;
  ShotsInFlight& shots_;
  Simulation<Real> simulation_;
  std::int64_t latest_ = 0;
  Clock::duration in_kernels_{};
  std::int64_t steps_made_ = 0;
};

/// As many as were asked for and as memory allows; a CPU has enough to do with one.
std::int64_t shots_at_once(const Shot& shot, const RunOptions& options, std::int64_t shots) {
  constexpr std::int64_t kMostOnDevice = 4;
  const bool is_device = options.target.kind == Target::Kind::cuda;
  std::int64_t count = options.shots_in_flight > 0 ? options.shots_in_flight : is_device ? kMostOnDevice : 1;
  if (is_device && count > 1) count = std::min(count, cuda_engines_that_fit(shot.propagator, shot.grid));
  const std::optional<Bytes> memory = available_memory();
  const std::int64_t each = needs_of(shot).memory.value() - shot.model->bytes();
  if (memory) count = std::min(count, memory->value() / std::max<std::int64_t>(1, each));
  return std::clamp<std::int64_t>(count, 1, std::max<std::int64_t>(1, shots));
}

/// Runs all shots from one on; the runners that took part.
template <class Real>
std::vector<std::unique_ptr<Runner<Real>>> run_shots(const Shot& shot, const RunOptions& options,
                                                     const Progress& from) {
  ShotsInFlight shots(from.shot, shot.repetition.count);
  const std::int64_t resumed = options.resume.empty() ? 0 : from.shot;
  std::vector<std::unique_ptr<Runner<Real>>> runners(
      static_cast<std::size_t>(shots_at_once(shot, options, shot.repetition.count - from.shot + 1)));
  // A runner is made in its own thread, which is the one that a GPU knows it by.
  const auto make_and_run = [&](std::unique_ptr<Runner<Real>>& runner) {
    try {
      runner = std::make_unique<Runner<Real>>(shot, options, shots);
      runner->run(resumed);
    } catch (...) {
      shots.fail(0, std::current_exception());
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < runners.size(); ++i) threads.emplace_back(make_and_run, std::ref(runners[i]));
  make_and_run(runners.front());
  for (std::thread& thread : threads) thread.join();
  shots.rethrow();
  return runners;
}

/// What was written before the checkpoint is not written again: it must still be there.
void check_written(const Shot& shot, const fs::path& folder, const Progress& from) {
  const auto check = [](const std::vector<OutputFile>& files) {
    for (const OutputFile& file : files) {
      std::error_code error;
      if (static_cast<std::int64_t>(fs::file_size(file.path, error)) == file.bytes && !error) continue;
      reject("--resume: {} is not there any more; use the --out of the run that wrote the checkpoint",
             file.path.string());
    }
  };
  for (std::int64_t number = 1; number <= from.shot; ++number) {
    const bool is_complete = number < from.shot;
    if (is_complete) check(gather_files(shot, folder, number));
    for (const Snapshots& snapshots : shot.snapshots) {
      for (const std::int64_t step : snapshots.steps) {
        if (is_complete || step <= from.step) check(snapshot_files(shot, folder, number, step));
      }
    }
  }
}

WavefieldAnswer answer_of(const Shot& shot, const Target& target) {
  const Extent& extent = shot.grid.extent;
  WavefieldAnswer answer;
  answer.shot = shot.name;
  answer.propagator = shot.propagator;
  answer.target = name_of(target);
  answer.grid = {extent.x, extent.y, extent.z};
  answer.precision = shot.is_double ? "f64" : "f32";
  answer.steps = shot.steps;
  answer.time_step = Seconds(shot.grid.time_step);
  answer.cfl = shot.cfl;
  for (const Source& source : shot.sources) {
    const double points = points_per_wavelength(shot, source.wavelet.frequency);
    const bool is_least = answer.points_per_wavelength == 0 || points < answer.points_per_wavelength;
    if (is_least) answer.points_per_wavelength = points;
  }
  answer.memory = needs_of(shot).memory;
  answer.threads = target.threads;
  answer.shots = shot.repetition.count;
  answer.warnings = warnings_of(shot);
  return answer;
}

template <class Real>
WavefieldAnswer run_with(const Shot& shot, const RunOptions& options) {
  const Clock::time_point start = Clock::now();
  const Progress from = options.resume.empty() ? Progress{} : read_progress(options.resume, shot);
  if (!options.resume.empty()) check_written(shot, options.folder, from);
  check_resources(shot, options.folder);
  const std::vector<std::unique_ptr<Runner<Real>>> runners = run_shots<Real>(shot, options, from);
  const auto last = std::ranges::max_element(runners, {}, [](const auto& runner) { return runner->latest(); });
  const Simulation<Real>& simulation = (*last)->simulation();
  WavefieldAnswer answer = answer_of(shot, options.target);
  const FieldSummary summary = summary_of(simulation.state().fields.front());
  answer.least = summary.least;
  answer.most = summary.most;
  answer.norm = summary.norm;
  answer.checksum = checksum_of(simulation);
  for (const OutputFile& file : output_files(shot, options.folder)) answer.outputs.push_back(file.path.string());
  // Runners work at the same time: the busiest one counts.
  Clock::duration in_kernels{};
  std::int64_t steps = 0;
  for (const auto& runner : runners) {
    in_kernels = std::max(in_kernels, runner->in_kernels());
    steps += runner->steps_made();
  }
  answer.kernels = Seconds(std::chrono::duration<double>(in_kernels).count());
  answer.total = Seconds(std::chrono::duration<double>(Clock::now() - start).count());
  const auto cells = static_cast<double>(cells_of(shot.grid.extent));
  if (steps > 0) answer.cells_per_second = cells * static_cast<double>(steps) / answer.kernels.value();
  return answer;
}

}  // namespace

WavefieldAnswer run(const Shot& shot, const RunOptions& options) {
  return shot.is_double ? run_with<double>(shot, options) : run_with<float>(shot, options);
}

std::vector<std::string> warnings_of(const Shot& shot) {
  std::vector<std::string> warnings;
  for (const Source& source : shot.sources) {
    const double points = points_per_wavelength(shot, source.wavelet.frequency);
    if (points >= kFewPointsPerWavelength) continue;
    warnings.push_back(
        fmt::format("{:.2f} cells per wavelength at {:g} Hz in the slowest medium ({:g} m/s): waves will be dispersed; "
                    "use {:g} or more",
                    points, source.wavelet.frequency, shot.velocities.slowest, kFewPointsPerWavelength));
    break;
  }
  return warnings;
}

std::string name_of(const Target& target) {
  constexpr std::array kNames{"reference", "cpu", "cuda"};
  return kNames[static_cast<std::size_t>(target.kind)];
}

}  // namespace muster::seismic
