#include "app/seismic/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "app/seismic/adjoint_run.h"
#include "app/seismic/between_steps.h"
#include "app/seismic/checkpoint.h"
#include "app/seismic/field_values.h"
#include "app/seismic/injections.h"
#include "app/seismic/outputs.h"
#include "app/seismic/recorder.h"
#include "app/seismic/resources.h"
#include "app/seismic/simulation.h"
#include "app/seismic/volumes.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kFewPointsPerWavelength = 4;

/// One shot after another, on one simulation.
template <class Real>
class Run {
 public:
  Run(const Shot& shot, const RunOptions& options, Processes& processes)
      : shot_(shot),
        options_(options),
        processes_(processes),
        simulation_(make_simulation<Real>(shot.propagator, shot.grid, *shot.model, options.target)) {}

  void run(const Progress& from) {
    for (const OutputFile& file : output_files(shot_, options_.folder)) outputs_.push_back(file.path.string());
    for (std::int64_t number = from.shot; number <= shot_.repetition.count; ++number) {
      const bool is_resumed = number == from.shot && !options_.resume.empty();
      run_shot(number, is_resumed);
    }
  }

  [[nodiscard]] const Simulation<Real>& simulation() const { return simulation_; }
  [[nodiscard]] Clock::duration in_kernels() const { return in_kernels_; }
  [[nodiscard]] std::int64_t steps_made() const { return steps_made_; }
  [[nodiscard]] const std::vector<std::string>& outputs() const { return outputs_; }

 private:
  void run_shot(std::int64_t number, bool is_resumed) {
    simulation_.clear();
    Recorder recorder(shot_, simulation_, number);
    prepare(number, is_resumed, recorder);
    const ShotUnderWay<Real> under_way{.shot = shot_,
                                       .options = options_,
                                       .processes = processes_,
                                       .number = number,
                                       .fields = simulation_,
                                       .gathers = [&]() -> const std::vector<Gather>& { return recorder.gathers(); }};
    while (simulation_.steps() < shot_.steps) {
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

  void write_gathers(std::int64_t number, Recorder& recorder) {
    const std::vector<OutputFile> files = gather_files(shot_, options_.folder, number);
    for (std::size_t i = 0; i < files.size(); ++i) {
      write_gather_file(shot_, files[i].path, recorder.gathers()[i]);
    }
  }

  void prepare(std::int64_t number, bool is_resumed, Recorder& recorder) {
    if (is_resumed) {
      const fs::path file = checkpoint_of(options_.resume, processes_);
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

  const Shot& shot_;
  const RunOptions& options_;
  Processes& processes_;
  Simulation<Real> simulation_;
  Clock::duration in_kernels_{};
  std::int64_t steps_made_ = 0;
  std::vector<std::string> outputs_;
};

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
        if (is_complete || steps_made(shot, step) <= steps_made(shot, from.step))
          check(snapshot_files(shot, folder, number, step));
      }
    }
  }
}

/// How far a checkpoint is: the same for all processes.
Progress resumed_progress(const Shot& shot, const Part& part, const RunOptions& options, Processes& processes) {
  if (options.resume.empty()) return {};
  Progress from;
  together(processes, [&] {
    from = read_progress(checkpoint_of(options.resume, processes), shot, part);
    if (processes.is_first()) check_written(shot, options.folder, from);
  });
  const std::string here = fmt::format("step {} of shot {}", from.step, from.shot);
  for (const std::string& there : processes.texts(here)) {
    if (there == here) continue;
    reject("--resume: {}: its files are of different times ({} and {}); use another checkpoint",
           options.resume.string(), there, here);
  }
  return from;
}

WavefieldAnswer answer_of(const Shot& shot, const Target& target) {
  const Extent& extent = shot.grid.extent;
  WavefieldAnswer answer;
  answer.shot = shot.name;
  answer.propagator = shot.propagator;
  answer.mode = name_of(shot.mode);
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
  answer.threads = target.threads;
  answer.shots = shot.repetition.count;
  answer.warnings = warnings_of(shot);
  return answer;
}

/// `Runner` is a Run or an AdjointRun.
template <class Runner>
WavefieldAnswer run_with(const Shot& shot, const RunOptions& options) {
  const Clock::time_point start = Clock::now();
  Processes alone;
  Processes& processes = options.target.processes == nullptr ? alone : *options.target.processes;
  const Part part = part_of(shot.grid, options.target);
  const Progress from = resumed_progress(shot, part, options, processes);
  together(processes, [&] { check_resources(shot, part, options.folder, processes.on_this_machine()); });
  Runner run(shot, options, processes);
  run.run(from);
  WavefieldAnswer answer = answer_of(shot, options.target);
  answer.ranks = processes.count();
  const Traffic sent = processes.sent();
  std::array<std::uint64_t, 3> sums{static_cast<std::uint64_t>(needs_of(shot, part).memory.value()),
                                    static_cast<std::uint64_t>(sent.bytes), static_cast<std::uint64_t>(sent.messages)};
  processes.sum(sums);
  answer.memory = Bytes(static_cast<std::int64_t>(sums[0]));
  answer.sent = Bytes(static_cast<std::int64_t>(sums[1]));
  answer.messages = static_cast<std::int64_t>(sums[2]);
  const FieldSummary summary = summary_of(run.simulation().state().fields.front(), processes);
  answer.least = summary.least;
  answer.most = summary.most;
  answer.norm = summary.norm;
  answer.checksum = checksum_of(run.simulation(), processes);
  answer.outputs = run.outputs();
  answer.kernels = Seconds(std::chrono::duration<double>(run.in_kernels()).count());
  answer.total = Seconds(std::chrono::duration<double>(Clock::now() - start).count());
  const auto cells = static_cast<double>(cells_of(shot.grid.extent));
  if (run.steps_made() > 0) {
    answer.cells_per_second = cells * static_cast<double>(run.steps_made()) / answer.kernels.value();
  }
  return answer;
}

}  // namespace

WavefieldAnswer run(const Shot& shot, const RunOptions& options) {
  if (shot.mode == Mode::adjoint) {
    return shot.is_double ? run_with<AdjointRun<double>>(shot, options) : run_with<AdjointRun<float>>(shot, options);
  }
  return shot.is_double ? run_with<Run<double>>(shot, options) : run_with<Run<float>>(shot, options);
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

std::string name_of(Mode mode) { return mode == Mode::adjoint ? "adjoint" : "forward"; }

std::string name_of(const Target& target) {
  constexpr std::array kNames{"reference", "cpu", "mpi", "cuda"};
  return kNames[static_cast<std::size_t>(target.kind)];
}

}  // namespace muster::seismic
