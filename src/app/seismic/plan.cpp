#include "app/seismic/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/seismic/adjoint_simulation.h"
#include "app/seismic/outputs.h"
#include "app/seismic/resources.h"
#include "app/seismic/run.h"
#include "app/seismic/simulation.h"
#include "app/seismic/stopwatch.h"
#include "app/seismic/wafer_arithmetic.h"
#include "app/seismic/warnings.h"

namespace muster::seismic {
namespace {

constexpr double kTrialSeconds = 0.3;

/// A grid with at most this many cells along each axis, with the same share of layers as far as that goes.
GridOptions smaller(const GridOptions& grid, std::int64_t cells) {
  GridOptions trial = grid;
  const std::int64_t radius = grid.order / 2;
  double scale = 1;
  for (const Axis axis : kAxes) {
    trial.extent[axis] = std::min(grid.extent[axis], cells);
    scale = std::min(scale, static_cast<double>(trial.extent[axis]) / static_cast<double>(grid.extent[axis]));
  }
  const auto scaled = static_cast<std::int64_t>(static_cast<double>(grid.layers.cells) * scale);
  trial.layers.cells = std::max(radius, scaled);
  trial.layers.transition = grid.layers.transition * trial.layers.cells / grid.layers.cells;
  for (const Axis axis : kAxes) {
    const std::int64_t least = std::min(grid.extent[axis], 2 * (trial.layers.cells + radius) + 1);
    trial.extent[axis] = std::max(trial.extent[axis], least);
  }
  return trial;
}

/// The largest of a few sizes that is set up quickly, which is still beyond the caches of most machines.
GridOptions trial_grid(const Shot& shot) {
  constexpr std::int64_t kMostBytes = 100'000'000;
  const Description equation = describe_propagator(shot.propagator);
  GridOptions trial;
  for (const std::int64_t cells : {160, 128, 96, 64}) {
    trial = smaller(shot.grid, cells);
    if (state_bytes(equation, trial, whole_of(trial), shot.is_double ? sizeof(double) : sizeof(float)) <= kMostBytes)
      break;
  }
  return trial;
}

/// Cells per second, in the median of the steps.
template <class Simulation>
double measure(Simulation simulation, const Extent& extent) {
  simulation.step();  // touches all memory
  return static_cast<double>(cells_of(extent)) / median_seconds([&] { simulation.step(); }, kTrialSeconds);
}

template <class Real>
double measure_mode(const Shot& shot, const GridOptions& grid, const Target& target) {
  if (shot.mode == Mode::forward) {
    return measure(make_simulation<Real>(shot.propagator, grid, *shot.model, target), grid.extent);
  }
  return measure(make_adjoint_simulation<Real>(shot.propagator, grid, *shot.model, target), grid.extent);
}

/// "cpml of 20 cells, low_z free-surface".
std::string sides_in_words(const GridOptions& grid) {
  std::array<int, kBoundaryNames.size()> counts{};
  for (const Axis axis : kAxes) {
    ++counts[static_cast<std::size_t>(grid.sides[axis].low)];
    ++counts[static_cast<std::size_t>(grid.sides[axis].high)];
  }
  const auto most = static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
  const auto words = [&](Boundary side) {
    if (side == Boundary::cpml && grid.layers.ratio > 0) {
      return fmt::format("multiaxial of {} cells with ratio {:.2g}", grid.layers.cells, grid.layers.ratio);
    }
    const std::string_view name = kBoundaryNames[static_cast<std::size_t>(side)];
    return absorbs(side) ? fmt::format("{} of {} cells", name, grid.layers.cells) : std::string(name);
  };
  std::string text = words(static_cast<Boundary>(most));
  for (const Axis axis : kAxes) {
    const char letter = "xyz"[index_of(axis)];
    const Sides& sides = grid.sides[axis];
    if (static_cast<std::size_t>(sides.low) != most) text += fmt::format(", low_{} {}", letter, words(sides.low));
    if (static_cast<std::size_t>(sides.high) != most) text += fmt::format(", high_{} {}", letter, words(sides.high));
  }
  return text;
}

void describe_resolution(const Shot& shot, WavefieldPlan& plan) {
  for (const Source& source : shot.sources) {
    plan.frequency = std::max(plan.frequency, source.wavelet.frequency);
    plan.highest = std::max(plan.highest, source.wavelet.highest);
  }
  if (shot.sources.empty()) return;
  plan.points_per_wavelength = points_per_wavelength(shot, plan.frequency);
  plan.points_per_wavelength_at_highest = points_per_wavelength(shot, plan.highest);
}

void describe_needs(const Shot& shot, const std::filesystem::path& folder, WavefieldPlan& plan) {
  const Needs needs = needs_of(shot, whole_of(shot.grid));
  plan.memory = needs.memory;
  plan.memory_available = available_memory();
  plan.disk = needs.outputs;
  plan.disk_available = available_disk(folder / shot.output.folder);
  plan.checkpoint = needs.checkpoint;
  for (const OutputFile& file : output_files(shot, folder)) {
    plan.outputs.push_back({.path = file.path.string(), .size = Bytes(file.bytes)});
  }
  plan.refusals = lacks_of(shot, whole_of(shot.grid), {.folder = folder});
}

}  // namespace

WavefieldPlan plan(const Shot& shot, const Target& target, const std::filesystem::path& folder) {
  check_arithmetic(shot, target);
  const Extent& extent = shot.grid.extent;
  WavefieldPlan plan;
  plan.shot = shot.name;
  plan.propagator = shot.propagator;
  plan.mode = name_of(shot.mode);
  plan.target = name_of(target);
  plan.grid = {extent.x, extent.y, extent.z};
  plan.precision = shot.is_double ? "f64" : "f32";
  plan.arithmetic = name_of(shot.grid.arithmetic);
  plan.shots = shot.repetition.count;
  plan.steps = shot.steps;
  plan.time_step = Seconds(shot.grid.time_step);
  plan.longest_step = Seconds(shot.longest_step);
  plan.cfl = shot.cfl;
  plan.duration = Seconds(shot.grid.time_step * static_cast<double>(shot.steps));
  plan.fastest = shot.velocities.fastest;
  plan.slowest = shot.velocities.slowest;
  plan.layers = sides_in_words(shot.grid);
  plan.layer_share = layer_share(shot.grid);
  for (const ReceiverSet& set : shot.receivers) plan.receivers += static_cast<std::int64_t>(set.positions.size());
  plan.threads = target.threads;
  plan.warnings = warnings_of(shot);
  describe_resolution(shot, plan);
  describe_needs(shot, folder, plan);
  const GridOptions trial = trial_grid(shot);
  plan.trial_grid = {trial.extent.x, trial.extent.y, trial.extent.z};
  plan.cells_per_second =
      shot.is_double ? measure_mode<double>(shot, trial, target) : measure_mode<float>(shot, trial, target);
  plan.estimate = Seconds(static_cast<double>(cells_of(extent)) * static_cast<double>(shot.steps) *
                          static_cast<double>(plan.shots) / plan.cells_per_second);
  return plan;
}

}  // namespace muster::seismic
