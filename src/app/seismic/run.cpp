#include "app/seismic/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "app/seismic/adjoint_run.h"
#include "app/seismic/checkpoint.h"
#include "app/seismic/cuda/target.h"
#include "app/seismic/field_values.h"
#include "app/seismic/forward_run.h"
#include "app/seismic/outputs.h"
#include "app/seismic/resources.h"
#include "app/seismic/shots_in_flight.h"
#include "app/seismic/wafer_arithmetic.h"
#include "app/seismic/warnings.h"
#include "base/error.h"

namespace muster::seismic {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// What a shot needs beyond the model, which all shots share.
std::int64_t memory_of_each(const Shot& shot) {
  return needs_of(shot, whole_of(shot.grid)).memory.value() - shot.model->bytes();
}

/// As many as were asked for and as memory allows; a CPU has enough to do with one.
std::int64_t shots_at_once(const Shot& shot, const RunOptions& options, std::int64_t shots) {
  constexpr std::int64_t kMostOnDevice = 4;
  if (options.target.processes != nullptr) return 1;
  const bool is_device = options.target.kind == Target::Kind::cuda;
  std::int64_t count = options.shots_in_flight > 0 ? options.shots_in_flight : is_device ? kMostOnDevice : 1;
  if (is_device && count > 1)
    count = std::min(count, cuda_engines_that_fit(shot.propagator, shot.grid, points_bytes(shot)));
  const std::optional<Bytes> memory = available_memory();
  if (memory) count = std::min(count, memory->value() / std::max<std::int64_t>(1, memory_of_each(shot)));
  return std::clamp<std::int64_t>(count, 1, std::max<std::int64_t>(1, shots));
}

/// One that makes shots, a ForwardRun or an AdjointRun, and the last one that it has made; 0: none.
template <class Maker>
struct Busy {
  std::unique_ptr<Maker> maker;
  std::int64_t latest = 0;

  /// `resumed`: the number of the shot that goes on from the checkpoint, or 0.
  void make_shots(ShotsInFlight& shots, std::int64_t resumed) {
    while (const std::optional<std::int64_t> number = shots.take()) {
      try {
        maker->run_shot(*number, *number == resumed, shots);
      } catch (...) {
        shots.fail(*number, std::current_exception());
      }
      if (shots.has_failed()) return;
      shots.finish(*number);
      latest = *number;
    }
  }
};

/// Makes all shots from one on, `count` at the same time; returns those who made them.
template <class Maker>
std::vector<Busy<Maker>> make_shots(const Shot& shot, const RunOptions& options, Processes& processes,
                                    const Progress& from, std::int64_t count) {
  ShotsInFlight shots(from.shot, shot.repetition.count);
  const std::int64_t resumed = options.resume.empty() ? 0 : from.shot;
  std::vector<Busy<Maker>> all(static_cast<std::size_t>(count));
  // Each is made in its own thread, which is the one that a GPU knows it by.
  const auto work = [&](Busy<Maker>& busy) {
    try {
      together(processes, [&] { busy.maker = std::make_unique<Maker>(shot, options, processes); });
      busy.make_shots(shots, resumed);
    } catch (...) {
      shots.fail(0, std::current_exception());
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < all.size(); ++i) threads.emplace_back(work, std::ref(all[i]));
    work(all.front());
  }
  shots.rethrow();
  std::erase_if(all, [](const Busy<Maker>& busy) { return busy.maker == nullptr; });
  return all;
}

/// What was written before a checkpoint, and is not written again.
std::vector<OutputFile> files_before(const Shot& shot, const fs::path& folder, const Progress& from) {
  std::vector<OutputFile> files;
  const auto add = [&](const std::vector<OutputFile>& more) { files.insert(files.end(), more.begin(), more.end()); };
  std::set<std::int64_t> steps;
  for (const Snapshots& snapshots : shot.snapshots) steps.insert(snapshots.steps.begin(), snapshots.steps.end());
  for (std::int64_t number = 1; number <= from.shot; ++number) {
    const bool is_complete = number < from.shot;
    if (is_complete) add(gather_files(shot, folder, number));
    for (const std::int64_t step : steps) {
      if (is_complete || steps_made(shot, step) <= steps_made(shot, from.step))
        add(snapshot_files(shot, folder, number, step));
    }
  }
  return files;
}

/// They must still be there.
void check_written(const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files) {
    std::error_code error;
    if (static_cast<std::int64_t>(fs::file_size(file.path, error)) == file.bytes && !error) continue;
    reject("--resume: {} is not there any more; use the --out of the run that wrote the checkpoint",
           file.path.string());
  }
}

/// Throws InputError if the machine lacks something.
void check_room(const Shot& shot, const Part& part, const RunOptions& options, const Progress& from,
                const Processes& processes) {
  std::int64_t written = 0;
  if (!options.resume.empty()) {
    for (const OutputFile& file : files_before(shot, options.folder, from)) written += file.bytes;
  }
  check_resources(shot, part, {.folder = options.folder, .processes = &processes, .written = written});
}

/// How far a checkpoint is: the same for all processes.
Progress resumed_progress(const Shot& shot, const Part& part, const RunOptions& options, Processes& processes) {
  if (options.resume.empty()) return {};
  Progress from;
  together(processes, [&] {
    const int left_by = processes_of_checkpoint(options.resume);
    if (left_by > 1 && left_by != processes.count() && !fs::exists(checkpoint_of(options.resume, processes))) {
      reject("--resume: {}: was left by {} processes; use as many, with --target mpi", options.resume.string(),
             left_by);
    }
    if (processes.count() > 1 && is_checkpoint(options.resume) &&
        !fs::exists(checkpoint_of(options.resume, processes))) {
      reject("--resume: {}: was left by one process, and here are {}; use --target cpu", options.resume.string(),
             processes.count());
    }
    from = read_progress(checkpoint_of(options.resume, processes), shot, part);
    if (processes.is_first()) check_written(files_before(shot, options.folder, from));
  });
  const std::string here = fmt::format("step {} of shot {}", from.step, from.shot);
  const std::vector<std::string> all = processes.all_gather(here);
  together(processes, [&] {
    for (const std::string& there : all) {
      if (there == here) continue;
      reject("--resume: {}: its files are of different times ({} and {}); use another checkpoint",
             options.resume.string(), there, here);
    }
  });
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
  answer.arithmetic = name_of(shot.grid.arithmetic);
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

template <class Real>
void add_fields(const WaveFields<Real>& fields, Processes& processes, WavefieldAnswer& answer) {
  const FieldSummary summary = summary_of(fields.state().fields.front(), processes);
  answer.least = summary.least;
  answer.most = summary.most;
  answer.norm = summary.norm;
  answer.checksum = checksum_of(fields, processes);
}

/// What all processes needed and sent.
void add_sums(const Shot& shot, const Part& part, Processes& processes, WavefieldAnswer& answer) {
  const Traffic sent = processes.sent();
  std::array<std::uint64_t, 3> sums{static_cast<std::uint64_t>(needs_of(shot, part).memory.value()),
                                    static_cast<std::uint64_t>(sent.bytes), static_cast<std::uint64_t>(sent.messages)};
  processes.sum(sums);
  answer.ranks = processes.count();
  answer.memory = Bytes(static_cast<std::int64_t>(sums[0]));
  answer.sent = Bytes(static_cast<std::int64_t>(sums[1]));
  answer.messages = static_cast<std::int64_t>(sums[2]);
}

/// `Maker` is a ForwardRun or an AdjointRun.
template <class Maker>
WavefieldAnswer run_with(const Shot& shot, const RunOptions& options) {
  const Clock::time_point start = Clock::now();
  Processes alone;
  Processes& processes = options.target.processes == nullptr ? alone : *options.target.processes;
  Part part;
  together(processes, [&] {
    check_arithmetic(shot, options.target);
    part = part_of(shot.grid, options.target);
  });
  const Progress from = resumed_progress(shot, part, options, processes);
  together(processes, [&] { check_room(shot, part, options, from, processes); });
  const std::int64_t at_once = shots_at_once(shot, options, shot.repetition.count - from.shot + 1);
  RunOptions of_each = options;
  of_each.target.threads = std::max(1, options.target.threads / static_cast<int>(at_once));
  const std::vector<Busy<Maker>> all = make_shots<Maker>(shot, of_each, processes, from, at_once);
  WavefieldAnswer answer = answer_of(shot, options.target);
  add_sums(shot, part, processes, answer);
  answer.memory = Bytes(answer.memory.value() + (at_once - 1) * memory_of_each(shot));
  add_fields(std::ranges::max_element(all, {}, &Busy<Maker>::latest)->maker->simulation(), processes, answer);
  for (const OutputFile& file : output_files(shot, options.folder)) answer.outputs.push_back(file.path.string());
  // They work at the same time: the busiest one counts.
  Clock::duration in_kernels{};
  std::int64_t steps = 0;
  for (const Busy<Maker>& busy : all) {
    in_kernels = std::max(in_kernels, busy.maker->in_kernels());
    steps += busy.maker->steps_made();
  }
  answer.kernels = Seconds(std::chrono::duration<double>(in_kernels).count());
  answer.total = Seconds(std::chrono::duration<double>(Clock::now() - start).count());
  const auto cells = static_cast<double>(cells_of(shot.grid.extent));
  if (steps > 0) answer.cells_per_second = cells * static_cast<double>(steps) / answer.kernels.value();
  return answer;
}

}  // namespace

WavefieldAnswer run(const Shot& shot, const RunOptions& options) {
  if (shot.mode == Mode::adjoint) {
    return shot.is_double ? run_with<AdjointRun<double>>(shot, options) : run_with<AdjointRun<float>>(shot, options);
  }
  return shot.is_double ? run_with<ForwardRun<double>>(shot, options) : run_with<ForwardRun<float>>(shot, options);
}

std::string name_of(Mode mode) { return mode == Mode::adjoint ? "adjoint" : "forward"; }

std::string name_of(const Target& target) {
  constexpr std::array kNames{"reference", "cpu", "mpi", "cuda"};
  return kNames[static_cast<std::size_t>(target.kind)];
}

}  // namespace muster::seismic
